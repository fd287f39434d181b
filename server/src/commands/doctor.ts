import { readSettings } from '../config.ts'
import { defineCommand } from './command.ts'
import { type Finding, findings } from './doctor-checks.ts'
import { CommandFailed } from './failure.ts'
import { table } from './table.ts'

/** `kith doctor`: `[{check, status, message}]`. */
export const doctorCommand = defineCommand({
  arguments: {},
  options: {},
  details: [
    'Checks the settings, the files and their modes, the disk, the database, the key and the clock, and says what to ' +
      'mend. Changes nothing. Exits with 1 when a check is bad; a warning is no failure.',
    'Prints [{check, status, message}], where status is ok, warn or bad.',
  ],
  examples: [
    { command: 'kith doctor', does: 'Checks ./data and the settings of this environment.' },
    { command: 'kith doctor --data /var/lib/kith --json', does: 'For a monitoring program.' },
  ],
  async run(_given, context) {
    const found = await findings(() => readSettings({ flags: context.flags }))
    context.print(found, (style) => table(found, COLUMNS, style))
    const bad = found.filter(({ status }) => status === 'bad').length
    if (bad > 0) throw new CommandFailed(bad === 1 ? 'One check is bad.' : `${bad} checks are bad.`)
  },
})

const COLUMNS = [
  { title: 'CHECK', value: ({ check }: Finding) => check },
  { title: 'STATUS', value: ({ status }: Finding) => status },
  { title: 'MESSAGE', value: ({ message }: Finding) => message },
]
