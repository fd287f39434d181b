/** The `kith` command: arguments in, one command called. */

import { runCommandLine } from './commands/command-line.ts'
import { kithCommands } from './commands/kith.ts'

/** Who reads our output may stop reading (`kith … | head`): the command then ends its work without a word. */
function ignoreClosedPipe(err: NodeJS.ErrnoException): void {
  if (err.code !== 'EPIPE') throw err
}

process.stdout.on('error', ignoreClosedPipe)
process.stderr.on('error', ignoreClosedPipe)
process.exitCode = await runCommandLine(kithCommands, process.argv.slice(2), process)
