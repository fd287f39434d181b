import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TaskGroups, TaskRow } from '../server/src/tasks/ui-schema.ts'
import { withKith } from './support/kith.ts'

const NOW = '2026-05-14T09:30:00.000Z'
const TOMORROW = '2026-05-14T22:00:00.000Z'
const WEEK_END = '2026-05-21T22:00:00.000Z'
const DAYS = `now=${NOW}&tomorrow=${TOMORROW}&week_end=${WEEK_END}`

withKith((kith) => {
  test('open tasks come in groups by when they are due, the bounds of the days being those of who asks', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const dues = {
      overdue: ['2026-05-14T09:29:59.999Z', '2020-01-01T00:00:00.000Z'],
      today: [NOW, '2026-05-14T21:59:59.999Z'],
      week: [TOMORROW, '2026-05-21T21:59:59.999Z'],
      later: [WEEK_END, '2999-01-01T00:00:00.000Z'],
      none: [null],
    }
    for (const [title, times] of Object.entries(dues)) for (const due_at of times) await org.addTask({ title, due_at })
    const { status, body } = await ui.get(`/tasks/groups?${DAYS}`)
    assert.equal(status, 200)
    assert.deepEqual(
      (body as TaskGroups).groups.map(({ group, count, tasks }) => [group, count, tasks.map(({ due_at }) => due_at)]),
      Object.entries(dues).map(([group, times]) => [group, times.length, [...times].sort()]),
    )
    for (const { group, tasks } of body.groups) {
      const page = (await ui.get(`/tasks/group?group=${group}&limit=1&offset=${tasks.length - 1}&${DAYS}`)).body
      assert.deepEqual(page.data, tasks.slice(-1))
      assert.deepEqual(page.meta, { count: tasks.length, limit: 1, offset: tasks.length - 1 })
    }
  })

  test('done shows done and completed, the newest first; cancelled has a tab of its own', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const made: string[] = []
    for (const status of ['done', 'completed', 'done', 'cancelled', 'cancelled']) {
      const { id } = await org.addTask({ title: status })
      await ui.patch(`/tasks/${id}`, { status })
      made.push(id)
    }
    await org.addTask()
    const shown = async (tab: string) => {
      const { groups } = (await ui.get(`/tasks/groups?tab=${tab}&${DAYS}`)).body as TaskGroups
      return groups.map(({ group, count, tasks }) => [group, count, ...tasks.map(({ id }) => made.indexOf(id))])
    }
    assert.deepEqual(await shown('done'), [['done', 3, 2, 1, 0]])
    assert.deepEqual(await shown('cancelled'), [['cancelled', 2, 4, 3]])
    assert.equal((await ui.get(`/tasks/groups?${DAYS}`)).body.groups.length, 5)
  })

  test('a task says whose it is: the name, else the company, else nothing', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const ada = await org.addContact({ full_name: 'Ada', company: 'Engines' })
    const firm = await org.addContact({ full_name: null, company: 'Firm' })
    for (const contact_id of [ada.id, firm.id, null]) await org.addTask({ contact_id })
    const none = await noneOf(`/tasks/groups?${DAYS}`)
    assert.deepEqual(
      none.map(({ contact }) => contact),
      [{ id: ada.id, name: 'Ada' }, { id: firm.id, name: 'Firm' }, null],
    )
    await org.api.delete(`/contacts/${ada.id}`)
    assert.equal((await noneOf(`/tasks/groups?${DAYS}`))[0]!.contact, null)

    async function noneOf(path: string): Promise<TaskRow[]> {
      return (await ui.get(path)).body.groups.find(({ group }: { group: string }) => group === 'none').tasks
    }
  })

  test('category and contact choose the tasks that are shown and counted', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const ada = await org.addContact()
    const mine = await org.addTask({ contact_id: ada.id, category: 'call' })
    await org.addTask({ contact_id: ada.id, category: 'email' })
    await org.addTask({ category: 'call' })
    const counted = async (query: string) => {
      const { meta, data } = (await ui.get(`/tasks/group?group=none&${DAYS}&${query}`)).body
      assert.equal(meta.count, data.length)
      return data.map(({ id }: TaskRow) => id === mine.id)
    }
    assert.deepEqual(await counted('category=call'), [true, false])
    assert.deepEqual(await counted(`contact_id=${ada.id}`), [true, false])
    assert.deepEqual(await counted(`contact_id=${ada.id}&category=call`), [true])
    assert.deepEqual(await counted('contact_id=x'), [])
    assert.deepEqual(await counted('category=none'), [])
  })

  test("another org's tasks are not shown, nor found by its contact", async () => {
    const org = await kith.org()
    const ada = await org.addContact()
    await org.addTask({ contact_id: ada.id })
    const ui = await kith.ui(await kith.org())
    for (const query of ['', `&contact_id=${ada.id}`]) {
      assert.deepEqual((await ui.get(`/tasks/group?group=none&${DAYS}${query}`)).body.data, [])
    }
  })

  test('the bounds of the days are needed, and have to be times', async () => {
    const ui = await kith.ui(await kith.org())
    const faults = async (path: string) => {
      const { status, body } = await ui.get(path)
      assert.equal(status, 422)
      return body.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)
    }
    assert.deepEqual(await faults('/tasks/groups'), ['now required', 'tomorrow required', 'week_end required'])
    assert.deepEqual(await faults(`/tasks/group?group=all&${DAYS}`), ['group not_allowed'])
    assert.deepEqual(await faults(`/tasks/groups?${DAYS.replace(NOW, 'today')}`), ['now bad_format'])
  })

  test('tasks are made and changed through /ui, by the member who asks', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const ada = await org.addContact()
    const made = await ui.post('/tasks', { title: 'Call', contact_id: ada.id })
    assert.equal(made.status, 201, made.text)
    const done = await ui.patch(`/tasks/${made.body.id}`, { status: 'done' })
    assert.deepEqual([done.status, done.body.status], [200, 'done'])
    const names = await org.eventNames()
    assert.deepEqual(names.slice(-2), ['task.created', 'task.completed'])
    const activities = await kith.db.read.selectFrom('activity').selectAll().where('org_id', '=', org.id).execute()
    assert.equal(activities.find(({ kind }) => kind === 'task_completed')?.actor, `member:${ui.member.id}`)
  })
})
