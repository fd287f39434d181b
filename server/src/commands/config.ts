import { type EffectiveSetting, readSettings } from '../config.ts'
import { SETTINGS, type Setting } from '../settings/settings.ts'
import { defineCommand } from './command.ts'
import { settingOption } from './global-options.ts'
import type { Style } from './style.ts'
import { type Cell, table } from './table.ts'

/** `kith config`: `[{name, value, source, from}]`, as `EffectiveSetting` says. */
export const configCommand = defineCommand({
  arguments: {},
  options: { host: settingOption('KITH_HOST'), port: settingOption('KITH_PORT') },
  details: [
    'Prints the settings in effect and where each comes from: a flag, else a variable, else the default. ' +
      'Nothing is started or changed. A wrong value and an unknown KITH_ name are errors (exit code 2), all listed.',
    'Passwords are masked. They are taken from a variable or a file, never from a flag: ' +
      'KITH_DATABASE_URL_FILE names a file that holds the address of the database.',
  ],
  lists: [
    {
      heading: 'Settings:',
      rows: Object.entries<Setting>(SETTINGS).map(([name, { meaning, fallback, otherwise }]) => [
        name,
        `${meaning} Default: ${fallback || otherwise}.`,
      ]),
    },
  ],
  examples: [
    { command: 'kith config', does: 'Shows them all.' },
    { command: 'KITH_PORT=9000 kith config --json', does: 'Shows what a server started so would run with.' },
  ],
  async run(_given, context) {
    const { effective } = readSettings({ flags: context.flags })
    context.print(effective, (style) => settingsTable(effective, style))
  },
})

function settingsTable(effective: EffectiveSetting[], style: Style): string {
  return table(
    effective,
    [
      { title: 'SETTING', value: ({ name }) => name },
      { title: 'VALUE', value: shownValue },
      {
        title: 'FROM',
        value: ({ source, from }) => (from === null || from.startsWith('KITH_') ? source : `${source} ${from}`),
      },
    ],
    style,
  )
}

function shownValue({ name, value }: EffectiveSetting): Cell {
  const isNothing = value === null || (Array.isArray(value) && value.length === 0)
  const { otherwise, fallback } = SETTINGS[name] as Setting
  if (isNothing) return `(${otherwise ?? fallback})`
  return typeof value === 'boolean' ? Number(value) : (value as Cell)
}
