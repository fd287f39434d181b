/** One org never meets another, on every route that the server has. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Answer, Client } from './support/http-client.ts'
import { withKith } from './support/kith.ts'
import type { Org } from './support/org.ts'

interface Operation {
  method: string
  path: string
  scope: 'read' | 'write'
}

/** A body that each changing route takes; a route that is missing here fails the suite. */
const BODIES: Record<string, object | undefined> = {
  'POST /contacts': { full_name: 'Eve' },
  'PATCH /contacts/{id}': { full_name: 'Eve', deal_stage: 'won' },
  'DELETE /contacts/{id}': undefined,
  'POST /tasks': { title: 'Eve' },
  'PATCH /tasks/{id}': { title: 'Eve', status: 'done' },
}

withKith((kith) => {
  let operations: Operation[]
  before(async () => {
    operations = operationsOf((await kith.client.get('/openapi.json')).body)
  })

  test('the route table has every operation of the contract and no other', () => {
    assert.deepEqual(operations.map(({ method, path, scope }) => `${method} ${path} ${scope}`).sort(), [
      'DELETE /contacts/{id} write',
      'GET /contacts read',
      'GET /contacts/{id} read',
      'GET /deals read',
      'GET /tasks read',
      'PATCH /contacts/{id} write',
      'PATCH /tasks/{id} write',
      'POST /contacts write',
      'POST /tasks write',
    ])
  })

  test('for each id in a path another org’s record is answered as one that never existed, byte for byte', async () => {
    const [org, other] = [await kith.org(), await kith.org()]
    const withId = operations.filter(({ path }) => path.includes('{id}'))
    assert.ok(withId.length >= 4)
    for (const { method, path } of withId) {
      const before = await other.rows()
      const owned = path.startsWith('/tasks') ? await other.addTask() : await other.addContact()
      const after = await other.rows()
      assert.notDeepEqual(after, before)
      const call = (id: string) => org.api.send(method, path.replace('{id}', id), BODIES[`${method} ${path}`])
      const [theirs, never] = [await call(owned.id), await call(crypto.randomUUID())]
      assert.equal(theirs.status, 404, `${method} ${path}`)
      assert.deepEqual(seen(theirs), seen(never), `${method} ${path}`)
      assert.deepEqual(await other.rows(), after)
    }
    assert.deepEqual(await org.events(), [])
  })

  test('as a contact_id another org’s contact is answered as one that never existed', async () => {
    const [org, other] = [await kith.org(), await kith.org()]
    const { id } = await other.addContact()
    const task = await org.addTask()
    const before = [await org.rows(), await other.rows()]
    for (const call of [
      (contact_id: string) => org.api.post('/tasks', { title: 'A', contact_id }),
      (contact_id: string) => org.api.patch(`/tasks/${task.id}`, { contact_id }),
    ]) {
      const [theirs, never] = [await call(id), await call(crypto.randomUUID())]
      assert.equal(theirs.status, 422)
      assert.deepEqual(seen(theirs), seen(never))
    }
    assert.deepEqual([await org.rows(), await other.rows()], before)
  })

  test('no list, count or search of an org shows anything of another', async () => {
    const [org, other] = [await kith.org(), await kith.org()]
    await other.addContact({ full_name: 'Sentinel', deal_stage: 'lead', deal_value: 1, label: 'hot' })
    await other.addTask({ title: 'Sentinel' })
    for (const path of [
      ...['/contacts', '/contacts?q=sentinel', '/contacts?stage=lead', '/contacts?label=hot', '/contacts?offset=1'],
      ...['/deals', '/deals?offset=1', '/tasks', '/tasks?status=open'],
    ]) {
      const { status, body } = await org.api.get(path)
      assert.deepEqual([status, body.data, body.meta.count], [200, [], 0], path)
    }
  })

  test('a token of read cannot change anything, one of write alone cannot read, on every route', async () => {
    const org = await kith.org()
    const clients = { read: (await org.token(['read'])).api, write: (await org.token(['write'])).api }
    for (const { method, path, scope } of operations) {
      const { id } = path.startsWith('/tasks') ? await org.addTask() : await org.addContact()
      const call = (client: Client) => client.send(method, path.replace('{id}', id), BODIES[`${method} ${path}`])
      const refused = clients[scope === 'read' ? 'write' : 'read']
      await org.refuses([403, 'insufficient_scope'], () => call(refused))
      const { status } = await call(clients[scope])
      assert.ok(status === 200 || status === 201, `${method} ${path}: ${status}`)
    }
  })

  test('every changing route has a body in this file', () => {
    const changing = operations.filter(({ scope }) => scope === 'write').map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(changing.toSorted(), Object.keys(BODIES).toSorted())
  })

  test('in the database itself a task cannot be linked to another org’s contact', async () => {
    const [org, other] = [await kith.org(), await kith.org()]
    const { id } = await other.addContact()
    const task = await org.addTask()
    const link = kith.db.write(async (tx) => {
      await tx
        .updateTable('task')
        .set({ contact_id: id })
        .where('org_id', '=', org.id)
        .where('id', '=', task.id)
        .execute()
    })
    await assert.rejects(link)
    await assertTask(org, { ...task, contact_id: null })
  })
})

async function assertTask(org: Org, task: object): Promise<void> {
  assert.deepEqual((await org.api.get('/tasks')).body.data, [task])
}

/** Status, body and headers, less what differs between any two requests. */
function seen({ status, text, headers }: Answer): unknown {
  const { date, 'x-request-id': id, 'ratelimit-remaining': left, 'ratelimit-reset': reset, ...rest } = headers
  assert.ok(date && id && left && reset)
  return { status, text, headers: rest }
}

function operationsOf(document: { paths: Record<string, Record<string, unknown>> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => ({
        method: method.toUpperCase(),
        path: path.replace('/api/v1', ''),
        scope: method === 'get' ? ('read' as const) : ('write' as const),
      })),
  )
}
