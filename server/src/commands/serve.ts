import { startApp } from '../app.ts'
import { createLog } from '../log.ts'
import { plainHttpFault } from '../settings/own-address.ts'
import { defineCommand } from './command.ts'
import { CommandFailed } from './failure.ts'
import { settingOption } from './global-options.ts'
import { guardOf } from './webhook-settings.ts'

/** `kith serve`: `{url, setup_code}` once it is listening; the code is null when there is an org already. */
export const serveCommand = defineCommand({
  arguments: {},
  options: { host: settingOption('KITH_HOST'), port: settingOption('KITH_PORT') },
  details: [
    'Runs the service until it is told to stop (SIGTERM, SIGINT): new requests are then answered 503, those in ' +
      'flight and the deliveries under way are finished, and the exit code is 0.',
    'Other commands work on the same data folder while it runs. The log goes to stderr, a line of JSON each.',
  ],
  examples: [
    { command: 'kith serve', does: 'Serves http://127.0.0.1:8080 from ./data.' },
    { command: 'kith serve --port 9000 --data /var/lib/kith', does: 'Another port and folder.' },
  ],
  async run(_given, context) {
    const config = context.config()
    const fault = plainHttpFault(config.http)
    if (fault) throw new CommandFailed(fault)
    const log = createLog(config.logLevel)
    const stopAsked = nextStopSignal()
    const app = await startApp({ config, log, guard: guardOf(config) })
    context.print({ url: app.url, setup_code: app.setupCode ?? null }, () => welcome(app, context.flags.data))
    const signal = await stopAsked
    log.info({ signal }, 'Stopping.')
    await app.close()
    log.info('Stopped.')
  },
})

function welcome({ url, setupCode }: { url: string; setupCode?: string | undefined }, data?: string): string {
  const lines = [`Kith is running at ${url}`, '', `API reference: ${url}/docs`]
  if (setupCode === undefined) return lines.join('\n')
  const kith = data === undefined ? 'npx kith' : `npx kith --data ${data}`
  return [
    ...lines,
    '',
    `There is no organisation yet. To make one, open ${url}/setup in a browser. It asks for this code:`,
    '',
    `Set-up code: ${setupCode}`,
    '',
    'Or make one, a token for its API and a webhook from here:',
    '',
    `  ${kith} org create "My company"`,
    `  ${kith} token create "My program" --org ORG_ID`,
    `  ${kith} webhook create https://example.com/hooks --org ORG_ID --events contact.created,contact.updated`,
    '',
    'ORG_ID is the id that the first command prints.',
  ].join('\n')
}

function nextStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
}
