import { ShownOnce } from '../api-keys/shown-once.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { verifiersFor } from './verifiers.ts'

/** A signing secret, shown this once, with programs that verify what it signs. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title="Signing secret"
      label="Secret"
      value={secret}
      intro="Copy this secret now. It will not be shown again."
      warning="The secret is not shown again. You would have to make a new one."
      onClose={onClose}
      isWide
    >
      <p className="secondary">
        Every delivery is signed with it. Each of these programs has the secret in it and tells a genuine delivery from
        a forged one.
      </p>
      <Tabs
        label="Verifier"
        tabs={verifiersFor(secret).map(({ id, title, text }) => ({
          id,
          title,
          content: <CopyField label={`Verifier for ${title}`} isLabelHidden value={text} isMultiline />,
        }))}
      />
    </ShownOnce>
  )
}
