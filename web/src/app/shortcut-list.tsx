import './shortcut-list.css'
import { Dialog } from '../ui/dialog.tsx'
import { COMMAND_SECTIONS, useAllCommands } from './commands.ts'
import { usePreferences } from './preferences.ts'
import { shownKeys } from './shortcuts.ts'

/** What `?` shows: the keys that work on this page. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const commands = useAllCommands().filter(({ keys }) => keys)
  const { singleKeys } = usePreferences()
  return (
    <Dialog title="Keyboard shortcuts" isOpen onOpenChange={onClose}>
      {singleKeys ? null : <p className="secondary">Single keys are turned off in Settings → You.</p>}
      <div className="shortcut-list">
        {COMMAND_SECTIONS.map((section) => {
          const shown = commands.filter((command) => command.section === section)
          if (shown.length === 0) return null
          return (
            <section key={section}>
              <h3>{section}</h3>
              <dl>
                {shown.map(({ id, text, keys }) => (
                  <div key={id} style={{ display: 'contents' }}>
                    <dt>{text}</dt>
                    <dd>
                      <kbd>{shownKeys(keys!)}</kbd>
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          )
        })}
      </div>
    </Dialog>
  )
}
