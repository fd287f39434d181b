import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { ApiError, validationError } from '../http/errors.ts'
import { listOf, oneOf, text as textKind, wholeNumber } from '../settings/value-kinds.ts'
import { defineCommand, type Group } from './command.ts'
import { runCommandLine } from './command-line.ts'
import { CommandFailed, Misuse } from './failure.ts'

const send = defineCommand({
  arguments: {
    name: { kind: textKind('NAME'), meaning: 'Name of the parcel.' },
    to: { kind: oneOf(['home', 'work']), placeholder: 'PLACE', isOptional: true, meaning: 'Where it goes.' },
  },
  options: {
    org: { kind: textKind('ID'), isRequired: true, meaning: 'Whose it is.' },
    limit: { kind: wholeNumber({ min: 1, max: 200 }), fallback: '50', meaning: 'How many.' },
    tags: { kind: listOf(textKind('TAG')), meaning: 'Its tags.' },
    'dry-run': { meaning: 'Only say what would be done.' },
  },
  details: ['Sends a parcel.'],
  examples: [{ command: 'kith parcel send box --org 1', does: 'Sends the box.' }],
  async run(given, context) {
    const limit: number = given.limit
    const org: string = given.org
    const tags: string[] | undefined = given.tags
    const { name, to, 'dry-run': isDryRun } = given
    context.print({ name, to, org, limit, tags, isDryRun, flags: context.flags }, () => `${name} for ${org}`)
  },
})

/** A group whose one command fails by throwing `err`. */
function failingWith(err: unknown): Group {
  const fail = defineCommand({
    arguments: {},
    options: {},
    details: [],
    examples: [],
    run: () => Promise.reject(err),
  })
  return { details: [], examples: [], commands: { fail: { summary: 'Fail', load: () => fail } } }
}

let loads = 0
const root: Group = {
  details: [],
  examples: [],
  commands: {
    parcel: {
      summary: 'Parcels',
      load: () => ({
        details: ['What can be done with parcels.'],
        examples: [],
        commands: { send: { summary: 'Send a parcel', load: () => send } },
      }),
    },
    heavy: {
      summary: 'Heavy to load',
      load: () => {
        loads++
        return send
      },
    },
  },
}

test('a command receives its arguments and options as what their kinds make of them', async () => {
  const args = ['parcel', 'send', 'box', 'work', '--org=1', '--limit', '200', '--tags', 'a, b', '--dry-run', '--json']
  const { code, stdout, stderr } = await run(args)
  assert.deepEqual([code, stderr], [0, ''])
  assert.deepEqual(JSON.parse(stdout), {
    name: 'box',
    to: 'work',
    org: '1',
    limit: 200,
    tags: ['a', 'b'],
    isDryRun: true,
    flags: {},
  })
})

test('what is not given is its fallback, false or nothing', async () => {
  const { stdout } = await run(['parcel', 'send', 'box', '--org', '1', '--json'])
  assert.deepEqual(JSON.parse(stdout), { name: 'box', org: '1', limit: 50, isDryRun: false, flags: {} })
})

test('without --json the result is text for people', async () => {
  assert.equal((await run(['parcel', 'send', 'box', '--org', '1'])).stdout, 'box for 1\n')
})

test('options of every command may stand in front, and flags of settings are handed on', async () => {
  const { stdout } = await run(['--json', '--data', '/srv', 'parcel', 'send', 'box', '--org', '1'])
  assert.deepEqual(JSON.parse(stdout).flags, { data: '/srv' })
})

test('what follows -- is no option', async () => {
  const { stdout } = await run(['parcel', 'send', '--org', '1', '--json', '--', '--box'])
  assert.equal(JSON.parse(stdout).name, '--box')
})

for (const [args, faults] of [
  [['box'], ['--org ID is missing.']],
  [[], ['NAME is missing.', '--org ID is missing.']],
  [['box', 'work', 'x', '--org', '1'], ['"x" is one argument too many.']],
  [['box', 'moon', '--org', '1'], ['PLACE must be home or work, not "moon".']],
  [
    ['box', '--ogr', '1'],
    ['There is no option --ogr. Did you mean --org?', 'PLACE must be home or work, not "1".', '--org ID is missing.'],
  ],
  [['box', '--org', '1', '-x'], ['There is no option -x.']],
  [['box', '--org', '1', '--constructor'], ['There is no option --constructor.']],
  [['box', '--org', '1', '--limit', '0'], ['--limit must be a whole number from 1 to 200, not "0".']],
  [['box', '--org', '1', '--limit', '201'], ['--limit must be a whole number from 1 to 200, not "201".']],
  [['box', '--org', '1', '--limit'], ['--limit needs a value: --limit N.']],
  [
    ['box', '--org', '--limit', '1'],
    ['--org needs a value: --org ID.', 'PLACE must be home or work, not "1".'],
  ],
  [['box', '--org', '1', '--org', '2'], ['--org is given twice.']],
  [['box', '--org', '1', '--dry-run=yes'], ['--dry-run takes no value.']],
] as const) {
  test(`misuse: kith parcel send ${args.join(' ')}`, async () => {
    const { code, stdout, stderr } = await run(['parcel', 'send', ...args])
    assert.deepEqual([code, stdout], [2, ''])
    assert.deepEqual(stderr.trimEnd().split('\n'), [
      ...faults.map((fault) => `kith: ${fault}`),
      'Usage: kith parcel send NAME [PLACE] --org ID [--limit N] [--tags TAG,…] [--dry-run]',
      '"kith parcel send --help" says more.',
    ])
  })
}

for (const [args, fault] of [
  [['parcle'], 'There is no command "kith parcle". Did you mean "kith parcel"?'],
  [['parcel', 'sned'], 'There is no command "kith parcel sned". Did you mean "kith parcel send"?'],
  [['parcel'], 'Say what to do: send follows "kith parcel".'],
  [['toString'], 'There is no command "kith toString".'],
  [['help', 'nothing'], 'There is no command "kith nothing".'],
  [['--jsno'], 'There is no option --jsno. Did you mean --json?'],
] as const) {
  test(`misuse: kith ${args.join(' ')}`, async () => {
    const { code, stdout, stderr } = await run([...args])
    assert.deepEqual([code, stdout, stderr.split('\n')[0]], [2, '', `kith: ${fault}`])
  })
}

test('every level has its help, on stdout, even where the rest of the call is wrong', async () => {
  const group = await run(['parcel', '--help'])
  assert.match(
    group.stdout,
    /^Usage: kith parcel COMMAND\n\nWhat can be done with parcels\.\n\nCommands:\n {2}send {2}Send/,
  )
  const command = await run(['parcel', 'send', '--help', '--nonsense'])
  assert.match(command.stdout, /^Usage: kith parcel send NAME/)
  assert.deepEqual([group.code, command.code, command.stderr], [0, 0, ''])
  assert.deepEqual(await run(['help', 'parcel', 'send']), command)
  assert.deepEqual(await run(['parcel', 'send', '-h']), command)
})

test('no command is loaded that is not called', async () => {
  await run(['--help'])
  await run(['parcel', 'send', 'box', '--org', '1'])
  assert.equal(loads, 0)
})

test('an expected failure exits with 1 and its sentence', async () => {
  const { code, stdout, stderr } = await run(['fail'], failingWith(new CommandFailed('The disk is full.')))
  assert.deepEqual([code, stdout, stderr], [1, '', 'kith: The disk is full.\n'])
})

test('a command can say that it was misused', async () => {
  const { code, stderr } = await run(['fail'], failingWith(new Misuse('Say --plan or --hourly-limit.')))
  assert.equal(code, 2)
  assert.equal(stderr, 'kith: Say --plan or --hourly-limit.\nUsage: kith fail\n"kith fail --help" says more.\n')
})

test('the error of an action exits with 1 and lists its details', async () => {
  const details = [
    { path: 'email', code: 'bad_format' as const, message: 'email must look like an address.' },
    { path: '', code: 'required' as const, message: 'A name is needed.' },
  ]
  const { code, stderr } = await run(['fail'], failingWith(validationError(details)))
  assert.equal(code, 1)
  assert.equal(
    stderr,
    'kith: The request has 2 faults; see details.\n  email: email must look like an address.\n  A name is needed.\n',
  )
  const single = await run(['fail'], failingWith(validationError(details.slice(0, 1))))
  assert.equal(single.stderr, 'kith: email must look like an address.\n')
})

test('with --json a failure is one JSON value on stderr', async () => {
  const details = [{ path: 'email', code: 'bad_format' as const, message: 'email must look like an address.' }]
  const validation = await run(['fail', '--json'], failingWith(validationError(details)))
  assert.deepEqual(JSON.parse(validation.stderr), {
    error: 'validation',
    message: 'email must look like an address.',
    details,
  })
  const misuse = await run(['fail', '--json', '--bogus'], failingWith(undefined))
  assert.equal(misuse.code, 2)
  assert.deepEqual(JSON.parse(misuse.stderr), {
    error: 'misuse',
    message: 'There is no option --bogus.',
    hint: 'Usage: kith fail "kith fail --help" says more.',
  })
})

test('an unexpected error exits with 1; its stack is told only with --verbose, and no secret at all', async () => {
  const err = new Error('no postgres://kith:sentinel@db\u001b[2J', { cause: new Error('kith_1a2b3c4sentinel') })
  for (const failure of [err, new ApiError('internal', err.message, { cause: err })]) {
    const plain = await run(['fail'], failingWith(failure))
    assert.equal(plain.code, 1)
    assert.equal(
      plain.stderr,
      'kith: This failed unexpectedly: no postgres://kith:…@db\\u001b[2J\nWith --verbose it says where.\n',
    )
    const verbose = await run(['fail', '--verbose'], failingWith(failure))
    assert.equal(verbose.code, 1)
    assert.match(verbose.stderr, /command-line\.test\.ts/)
    assert.match(verbose.stderr, /kith_1a2b3c4…/)
    assert.doesNotMatch(verbose.stderr, /sentinel|\u001b/)
  }
})

async function run(args: string[], group: Group = root) {
  const terminal = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() }
  const code = await runCommandLine(group, args, terminal)
  terminal.stdout.end()
  terminal.stderr.end()
  return { code, stdout: await text(terminal.stdout), stderr: await text(terminal.stderr) }
}
