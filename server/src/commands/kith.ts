import type { Group } from './command.ts'

/** The `kith` command with all that is below it. */
export const kithCommands: Group = {
  details: [
    'Kith is a CRM that other programs can rely on: a REST API for contacts, deals and tasks, signed webhooks that ' +
      'are never lost, and a web app over the same operations.',
    'Results go to stdout, everything else to stderr. The exit code is 0, 1 when the command failed, 2 when it was ' +
      'called wrongly. Every command takes --json; "kith config" lists the settings, and "kith --version" tells the ' +
      'version. Commands work beside a running server on the same data.',
  ],
  commands: {
    serve: {
      summary: 'Run the service',
      load: async () => (await import('./serve.ts')).serveCommand,
    },
    org: {
      summary: 'Add, list and change organisations',
      load: async () => (await import('./org.ts')).orgCommands,
    },
    user: {
      summary: 'Add and remove people, reset passwords',
      load: async () => (await import('./user.ts')).userCommands,
    },
    token: {
      summary: 'Make, list and revoke API tokens',
      load: async () => (await import('./token.ts')).tokenCommands,
    },
    webhook: {
      summary: 'Subscribe to events, see and repeat deliveries',
      load: async () => (await import('./webhook.ts')).webhookCommands,
    },
    import: {
      summary: 'Add contacts from a CSV file',
      load: async () => (await import('./import.ts')).importCommand,
    },
    places: {
      summary: 'Load places that can be found on the map',
      load: async () => (await import('./places.ts')).placesCommands,
    },
    backup: {
      summary: 'Write everything to one file',
      load: async () => (await import('./backup.ts')).backupCommand,
    },
    restore: {
      summary: 'Read a backup into an empty database',
      load: async () => (await import('./restore.ts')).restoreCommand,
    },
    demo: {
      summary: 'Make an org with sample data to try things on',
      load: async () => (await import('./demo.ts')).demoCommand,
    },
    doctor: {
      summary: 'Check settings, files, database, key and clock',
      load: async () => (await import('./doctor.ts')).doctorCommand,
    },
    config: {
      summary: 'Show the settings in effect and where each comes from',
      load: async () => (await import('./config.ts')).configCommand,
    },
  },
  examples: [
    { command: 'kith demo', does: 'Makes an org with 100 contacts and prints a token and calls to try.' },
    { command: 'kith serve', does: 'Serves http://127.0.0.1:8080 from ./data.' },
    { command: 'kith org create "Acme Ltd"', does: 'Adds an org; prints its id.' },
    { command: 'kith token create "My program" --org ID', does: 'Prints a token for that org.' },
  ],
}
