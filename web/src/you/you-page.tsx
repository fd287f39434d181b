import './you-page.css'
import { useSession } from '../app/session.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { AppearanceSettings, KeyboardSettings } from './browser-settings.tsx'
import { EmailForm, NameForm, PasswordForm } from './own-forms.tsx'
import { SessionList } from './session-list.tsx'

export function YouPage() {
  const { member } = useSession()
  return (
    <>
      <PageHeader title="You" section="Settings" />
      <section className="you-part card" aria-labelledby="you-name">
        <h2 id="you-name">Name</h2>
        <NameForm key={member.name} name={member.name} />
      </section>
      <section className="you-part card" aria-labelledby="you-email">
        <h2 id="you-email">Email</h2>
        <EmailForm key={member.email} email={member.email} />
      </section>
      <section className="you-part card" aria-labelledby="you-password">
        <h2 id="you-password">Password</h2>
        <PasswordForm email={member.email} />
      </section>
      <section className="you-part you-wide card" aria-labelledby="you-sessions">
        <h2 id="you-sessions">Sessions</h2>
        <SessionList />
      </section>
      <section className="you-part card" aria-labelledby="you-appearance">
        <h2 id="you-appearance">Appearance</h2>
        <p className="secondary small">Kept in this browser.</p>
        <AppearanceSettings />
      </section>
      <section className="you-part card" aria-labelledby="you-keyboard">
        <h2 id="you-keyboard">Keyboard</h2>
        <KeyboardSettings />
      </section>
    </>
  )
}
