import { commandActor } from '../actor.ts'
import { getOrg, withOrg } from '../orgs/actions.ts'
import { listOf, oneOf, text } from '../settings/value-kinds.ts'
import { createToken, listTokens, revokeToken } from '../tokens/actions.ts'
import { type ListedToken, SCOPES } from '../tokens/schema.ts'
import { defineCommand, type Group } from './command.ts'
import { withDatabase } from './database.ts'
import { idArgument, orgOption } from './record-options.ts'
import { type Column, fields, table } from './table.ts'

const createCommand = defineCommand({
  arguments: { name: { kind: text('NAME'), meaning: 'What the token is for.' } },
  options: {
    org: orgOption,
    scopes: { kind: listOf(oneOf(SCOPES)), fallback: SCOPES.join(','), meaning: 'What it may do.' },
  },
  details: [
    'Makes an API token. It is printed this once: only its hash and its first 12 characters are kept. Prints ' +
      '{id, name, prefix, scopes, token}.',
  ],
  examples: [
    { command: 'kith token create "Website form" --org ID', does: 'A token that reads and writes.' },
    { command: 'kith token create Reports --org ID --scopes read', does: 'A token that only reads.' },
  ],
  async run({ name, org, scopes }, context) {
    await withDatabase(context, async (db) => {
      const token = await withOrg(db, org, (tx) => createToken(tx, commandActor(org), { name, scopes }))
      context.print(token, (style) => fields(Object.entries(token), style))
      context.tell('Keep the token now: it is not shown again.')
    })
  },
})

const listCommand = defineCommand({
  arguments: {},
  options: { org: orgOption },
  details: [
    "Lists an org's tokens, oldest first, revoked ones included. Prints " +
      '[{id, name, prefix, scopes, created_at, last_used_at, revoked_at}].',
  ],
  examples: [{ command: 'kith token list --org ID', does: 'Lists them.' }],
  async run({ org }, context) {
    await withDatabase(context, async (db) => {
      await getOrg(db.read, org)
      const tokens = await listTokens(db.read, org)
      context.print(tokens, (style) => table(tokens, COLUMNS, style))
    })
  },
})

const revokeCommand = defineCommand({
  arguments: { id: idArgument('token; "kith token list" tells') },
  options: { org: orgOption },
  details: ['Revokes a token: from the next request on it is refused, for good. Prints {id, revoked}.'],
  examples: [{ command: 'kith token revoke TOKEN_ID --org ID', does: 'Revokes it.' }],
  async run({ id, org }, context) {
    await withDatabase(context, async (db) => {
      await withOrg(db, org, (tx) => revokeToken(tx, commandActor(org), id))
      context.print({ id, revoked: true }, () => `The token ${id} is revoked.`)
    })
  },
})

const COLUMNS: Column<ListedToken>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'TOKEN', value: ({ prefix }) => `${prefix}…` },
  { title: 'SCOPES', value: ({ scopes }) => scopes },
  { title: 'CREATED', value: (token) => token.created_at },
  { title: 'LAST USED', value: (token) => token.last_used_at },
  { title: 'REVOKED', value: (token) => token.revoked_at },
]

export const tokenCommands: Group = {
  details: ['API tokens: what a program sends as "Authorization: Bearer TOKEN" to /api/v1.'],
  commands: {
    create: { summary: 'Make a token, shown once', load: () => createCommand },
    list: { summary: "List an org's tokens", load: () => listCommand },
    revoke: { summary: 'Revoke a token', load: () => revokeCommand },
  },
  examples: [],
}
