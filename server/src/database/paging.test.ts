/** Lists far down, where they are walked to from their end. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openEngines } from '../../../test/support/databases.ts'
import { commandActor } from '../actor.ts'
import { createContact, listContacts } from '../contacts/actions.ts'
import { listDeals } from '../deals/actions.ts'
import type { Listed, Page } from '../http/paging.ts'
import { createOrg } from '../orgs/actions.ts'
import { createTask, listTasks } from '../tasks/actions.ts'

const RECORDS = 1_250
const AT_ONCE = 250

for (const { name, db } of await openEngines({ after })) {
  test(`${name}: a page far down holds what it holds when counted from the beginning`, async () => {
    const actor = await db.write(async (tx) => {
      const org = await createOrg(tx, { name: 'Deep', plan: 'pro' })
      return commandActor(org.id)
    })
    const contacts: { id: string; value: number | null }[] = []
    const tasks: { id: string; due: string | null }[] = []
    for (let at = 0; at < RECORDS; at += AT_ONCE) {
      await db.write(async (tx) => {
        for (let i = at; i < at + AT_ONCE; i++) {
          const value = i % 5 === 0 ? null : i % 7
          const { id } = await createContact(tx, actor, {
            full_name: `Ada ${i}`,
            deal_stage: 'lead',
            label: i % 50 === 0 ? 'hot' : 'cold',
            deal_value: value,
          })
          contacts.push({ id, value })
          const due = i % 3 === 0 ? null : `2026-01-0${1 + (i % 9)}T00:00:00.000Z`
          const task = await createTask(tx, actor, { title: 'Call', due_at: due })
          tasks.push({ id: task.id, due })
        }
      })
    }
    const last = Number.POSITIVE_INFINITY
    const byValue = (a: (typeof contacts)[0], b: (typeof contacts)[0]) =>
      (b.value ?? -last) - (a.value ?? -last) || (a.id < b.id ? -1 : 1)
    const byDue = (a: (typeof tasks)[0], b: (typeof tasks)[0]) =>
      (a.due ?? '9').localeCompare(b.due ?? '9') || (a.id < b.id ? -1 : 1)
    const cold = contacts.filter((_, i) => i % 50 !== 0).toReversed()
    const lists: [string, { id: string }[], (page: Page) => Promise<Listed<{ id: string }>>][] = [
      ['contacts', contacts.toReversed(), (page) => listContacts(db, actor.orgId, page)],
      ['contacts with a label', cold, (page) => listContacts(db, actor.orgId, { ...page, label: 'cold' })],
      ['deals', contacts.toSorted(byValue), (page) => listDeals(db, actor.orgId, page)],
      ['tasks', tasks.toSorted(byDue), (page) => listTasks(db, actor.orgId, page)],
    ]
    for (const [what, all, list] of lists) {
      for (const offset of [999, 1_000, 1_234, all.length - 200, all.length - 7, all.length - 1, all.length, 9_999]) {
        const { rows, count } = await list({ limit: 200, offset })
        const expected = all.slice(offset, offset + 200).map(({ id }) => id)
        assert.deepEqual([count, rows.map(({ id }) => id)], [all.length, expected], `${what} from ${offset}`)
      }
    }
  })
}
