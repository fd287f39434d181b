import { buffer } from 'node:stream/consumers'
import { compileCheck } from '../http/check.ts'
import { type Detail, validationError } from '../http/errors.ts'
import {
  createMember,
  getMember,
  hashNewPassword,
  listMembers,
  removeMember,
  resetPassword,
} from '../members/actions.ts'
import { newPassword } from '../members/password-rules.ts'
import { type Member, NewMember, ROLES } from '../members/schema.ts'
import { getOrg, withOrg } from '../orgs/actions.ts'
import { oneOf, text } from '../settings/value-kinds.ts'
import { type Context, defineCommand, type Group } from './command.ts'
import { withDatabase } from './database.ts'
import { CommandFailed, Misuse } from './failure.ts'
import { orgOption, yesOption } from './record-options.ts'
import { type Column, fields, table } from './table.ts'

const EMAIL = { kind: text('EMAIL'), meaning: 'With what the person signs in.' }
const STDIN = {
  meaning: 'Read the password from standard input; without this a strong one is made and printed once.',
}
const NEVER_AN_ARGUMENT =
  'A password is never an argument, since everyone on this machine can read those of a running program.'

const createCommand = defineCommand({
  arguments: { email: EMAIL },
  options: {
    org: orgOption,
    role: { kind: oneOf(ROLES), isRequired: true, meaning: 'An admin changes settings, tokens and webhooks too.' },
    name: { kind: text('NAME'), meaning: 'How the person is shown.' },
    'password-stdin': STDIN,
  },
  details: [
    `Adds a person to an org. ${NEVER_AN_ARGUMENT} It has 12 to 256 characters of any kind.`,
    'Prints {id, email, name, role, created_at, last_seen_at, password}; password is null when it was given.',
  ],
  examples: [
    { command: 'kith user create ada@example.com --org ID --role admin', does: 'Prints a password to hand over.' },
    {
      command: 'kith user create bo@example.com --org ID --role member --password-stdin < password.txt',
      does: 'Takes the password from a file.',
    },
  ],
  async run({ email, org, role, name, 'password-stdin': isGiven }, context) {
    const person = checkedPerson({ email, role, ...(name !== undefined && { name }) })
    await withDatabase(context, async (db) => {
      await getOrg(db.read, org)
      const password = isGiven ? await readPassword(context) : newPassword()
      const hash = await hashNewPassword(db.read, { orgId: org, email }, password)
      const member = await withOrg(db, org, (tx) => createMember(tx, org, person, hash))
      printWithPassword(member, isGiven ? null : password, context)
    })
  },
})

const listCommand = defineCommand({
  arguments: {},
  options: { org: orgOption },
  details: ["Lists an org's people, oldest first. Prints [{id, email, name, role, created_at, last_seen_at}]."],
  examples: [{ command: 'kith user list --org ID', does: 'Lists them.' }],
  async run({ org }, context) {
    await withDatabase(context, async (db) => {
      await getOrg(db.read, org)
      const members = await listMembers(db.read, org)
      context.print(members, (style) => table(members, COLUMNS, style))
    })
  },
})

const resetCommand = defineCommand({
  arguments: { email: EMAIL },
  options: { org: orgOption, 'password-stdin': STDIN },
  details: [
    `Gives a person another password, at once. ${NEVER_AN_ARGUMENT}`,
    'Prints {id, email, name, role, created_at, last_seen_at, password}; password is null when it was given.',
  ],
  examples: [{ command: 'kith user reset ada@example.com --org ID', does: 'Prints a password to hand over.' }],
  async run({ email, org, 'password-stdin': isGiven }, context) {
    await withDatabase(context, async (db) => {
      const key = { orgId: org, email }
      await getOrg(db.read, org)
      const member = await getMember(db.read, key)
      const password = isGiven ? await readPassword(context) : newPassword()
      const hash = await hashNewPassword(db.read, key, password)
      await db.write((tx) => resetPassword(tx, key, hash))
      printWithPassword(member, isGiven ? null : password, context)
    })
  },
})

const removeCommand = defineCommand({
  arguments: { email: EMAIL },
  options: { org: orgOption, yes: yesOption },
  details: ['Removes a person from an org. What the person has done stays. Prints {email, removed}.'],
  examples: [{ command: 'kith user remove bo@example.com --org ID --yes', does: 'Removes the person.' }],
  async run({ email, org, yes }, context) {
    await withDatabase(context, async (db) => {
      const { name } = await getOrg(db.read, org)
      const member = await getMember(db.read, { orgId: org, email })
      if (!yes)
        throw new Misuse(`This removes ${member.email} (${member.role}) from ${name} at once. Say --yes to do it.`)
      await db.write((tx) => removeMember(tx, { orgId: org, email }))
      context.print({ email: member.email, removed: true }, () => `${member.email} is removed from ${name}.`)
    })
  },
})

const checkNewMember = compileCheck(NewMember)

/** @throws ApiError `validation` */
function checkedPerson(input: Record<string, unknown>): NewMember {
  const faults: Detail[] = []
  const person = checkNewMember(input, faults)
  if (faults.length > 0) throw validationError(faults)
  return person
}

/** All of standard input, without the one line break that files and `echo` put at the end. */
async function readPassword({ terminal }: Context): Promise<string> {
  const bytes = await buffer(terminal.stdin)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r?\n$/, '')
  } catch {
    throw new CommandFailed('The password on standard input is not UTF-8.')
  }
}

function printWithPassword(member: Member, password: string | null, context: Context): void {
  context.print({ ...member, password }, (style) =>
    fields(
      [...Object.entries(member), ...(password === null ? [] : [['password', password] as [string, string]])],
      style,
    ),
  )
  if (password !== null) context.tell('Hand the password over now: it is not shown again.')
}

const COLUMNS: Column<Member>[] = [
  { title: 'EMAIL', value: ({ email }) => email },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'ROLE', value: ({ role }) => role },
  { title: 'ADDED', value: (member) => member.created_at },
  { title: 'LAST SEEN', value: (member) => member.last_seen_at },
]

export const userCommands: Group = {
  details: ['The people of an org: they sign in to the web app with e-mail address and password.'],
  commands: {
    create: { summary: 'Add a person', load: () => createCommand },
    list: { summary: "List an org's people", load: () => listCommand },
    reset: { summary: "Replace a person's password", load: () => resetCommand },
    remove: { summary: 'Remove a person', load: () => removeCommand },
  },
  examples: [],
}
