import { SETTINGS, type Setting, type SettingName } from '../settings/settings.ts'
import { text } from '../settings/value-kinds.ts'
import type { Option } from './command.ts'

/** An option that goes before a setting's variable. It is read as text here, since the settings check it. */
export function settingOption(name: SettingName): Option<string> {
  const setting: Setting = SETTINGS[name]
  return { kind: text(setting.kind.placeholder), meaning: `${setting.meaning} Overrides ${name}.` }
}

/** What every command takes. */
export const GLOBAL_OPTIONS = {
  data: settingOption('KITH_DATA'),
  'database-url': settingOption('KITH_DATABASE_URL'),
  json: { meaning: 'Print the result as one line of JSON; failures too, on stderr.' },
  verbose: { meaning: 'Say more on stderr, such as where an unexpected error arose.' },
  help: { meaning: 'Print this help; -h too.' },
} as const satisfies Record<string, Option>
