/** Changing many contacts at once, and taking them away as a file, through the web app's door. */
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { createContact } from '../server/src/contacts/actions.ts'
import { withKith } from './support/kith.ts'
import { until } from './support/until.ts'

interface Line {
  done: number
  total: number
  failed?: { id: string; message: string }[]
  failed_count?: number
  ended?: boolean
}

const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

withKith((kith) => {
  async function seat(contacts: number) {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const ids: string[] = []
    for (let i = 0; i < contacts; i++) {
      const { id } = await org.addContact({ full_name: `Ada ${i}`, deal_stage: i % 2 ? 'lead' : null, tags: ['old'] })
      ids.push(id)
    }
    const eventsBefore = (await org.eventNames()).length
    const newEvents = async () => (await org.eventNames()).slice(eventsBefore).sort()
    return { org, ui, ids, newEvents }
  }

  test('a stage is set for all that match but the excepted, each with its events, and progress is told', async () => {
    const { org, ui, ids, newEvents } = await seat(30)
    const change = {
      filter: { stages: [null] },
      except: [ids[0]],
      expected: 14,
      change: { set: { deal_stage: 'won' } },
    }
    const answer = await ui.post('/contacts/bulk', change)
    assert.equal(answer.status, 200, answer.text)
    const lines = linesOf(answer.text)
    assert.deepEqual(lines.at(-1), { done: 14, total: 14, failed: [], failed_count: 0, ended: true })
    assert.ok(lines.slice(0, -1).every(({ done, ended }) => done <= 14 && !ended))
    const names = [...Array(14).fill('contact.updated'), ...Array(14).fill('deal.stage_changed')]
    assert.deepEqual(await newEvents(), names)
    const stages = await Promise.all(ids.map(async (id) => (await org.api.get(`/contacts/${id}`)).body.deal_stage))
    assert.deepEqual(
      stages,
      ids.map((_, i) => (i === 0 ? null : i % 2 ? 'lead' : 'won')),
    )
  })

  test('what a contact has already makes no event; tags, tasks and deletion go through their actions', async () => {
    const { org, ui, ids, newEvents } = await seat(3)
    await ui.post('/contacts/bulk', { ids, change: { set: { deal_stage: 'lead' }, add_tag: 'old' } })
    assert.deepEqual((await newEvents()).length, 4, 'two of three had no stage')
    await ui.post('/contacts/bulk', { ids: [ids[0]], change: { add_tag: 'new', remove_tag: 'old' } })
    assert.deepEqual((await org.api.get(`/contacts/${ids[0]}`)).body.tags, ['new'])
    await ui.post('/contacts/bulk', { ids: [ids[1]], change: { add_task: { title: 'Call', category: 'call' } } })
    const { data } = (await org.api.get('/tasks')).body
    assert.deepEqual([data.length, data[0].title, data[0].contact_id], [1, 'Call', ids[1]])
    const last = linesOf((await ui.post('/contacts/bulk', { ids, change: { delete: true } })).text).at(-1)
    assert.deepEqual(last, { done: 3, total: 3, failed: [], failed_count: 0, ended: true })
    assert.equal((await org.api.get('/contacts')).body.meta.count, 0)
    const again = linesOf((await ui.post('/contacts/bulk', { ids, change: { delete: true } })).text).at(-1)
    assert.deepEqual(again, last, 'those that are gone are passed over')
  })

  test('a request that is not clear changes nothing', async () => {
    const { ui, ids, newEvents } = await seat(2)
    const set = { set: { label: 'hot' } }
    for (const [body, path, code] of [
      [{ change: set }, '', 'required'],
      [{ ids, filter: {}, change: set }, '', 'required'],
      [{ ids, except: ids, change: set }, 'except', 'not_allowed'],
      [{ ids, change: {} }, 'change', 'required'],
      [{ ids, change: { ...set, delete: true } }, 'change/delete', 'not_allowed'],
      [{ filter: {}, expected: 1, change: set }, 'expected', 'out_of_range'],
      [{ filter: { stages: [5] }, change: set }, 'filter/stages/0', 'wrong_type'],
      [{ ids: ['x'], change: set }, 'ids/0', 'not_found'],
    ] as const) {
      const { status, body: answer } = await ui.post('/contacts/bulk', body)
      assert.deepEqual([status, answer.details?.[0].path, answer.details?.[0].code], [422, path, code])
    }
    assert.deepEqual(await newEvents(), [])
  })

  test('a stage that a strict pipeline lacks is refused before anything is changed', async () => {
    const { org, ui, ids, newEvents } = await seat(2)
    await kith.command('org', 'set', org.id, '--strict-stages', 'on')
    const { status, body } = await ui.post('/contacts/bulk', { ids, change: { set: { deal_stage: 'odd' } } })
    assert.deepEqual([status, body.details[0].path], [422, 'change/set/deal_stage'])
    assert.deepEqual(await newEvents(), [])
  })

  test('another org’s contacts are passed over as those that never existed', async () => {
    const { org, ids } = await seat(2)
    const stranger = await kith.ui(await kith.org())
    const answer = await stranger.post('/contacts/bulk', { ids, change: { delete: true } })
    assert.deepEqual(linesOf(answer.text).at(-1)?.done, 2)
    assert.equal((await org.api.get('/contacts')).body.meta.count, 2)
    assert.equal((await stranger.post('/contacts/export', { ids })).text.split('\r\n').length, 2, 'the header alone')
  })

  test('whoever closes the connection stops it, and what is done stays', async () => {
    const { org, ui } = await seat(0)
    // Seconds of work on either engine, so that there is something left to stop.
    const contacts = kith.engine === 'sqlite' ? 8_000 : 2_000
    for (let made = 0; made < contacts; made += 500) {
      await kith.db.write(async (tx) => {
        for (let i = 0; i < 500; i++) await createContact(tx, org.actor, { full_name: `Ada ${i}` })
      })
    }
    const change = { set: { label: 'hot' }, add_tag: 'new', add_task: { title: 'Call' } }
    const body = JSON.stringify({ filter: {}, change })
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: ui.cookie }
    const call = httpRequest(`${kith.url}/ui/contacts/bulk`, { method: 'POST', headers })
    call.on('error', () => {})
    call.on('response', (answer) => answer.once('data', () => call.destroy()))
    call.end(body)
    const hot = async () => (await org.api.get('/contacts?label=hot&limit=1')).body.meta.count as number
    await until('the change has begun', async () => (await hot()) > 0)
    let before = -1
    await until('it has stopped', async () => {
      const now = await hot()
      const isSame = now === before
      before = now
      if (!isSame) await new Promise((resolve) => setTimeout(resolve, 300))
      return isSame
    })
    assert.ok(before > 0 && before < contacts, `${before} were changed`)
  })

  test('a file has the filter’s contacts, is a download with a name of ours, and is logged without its filter', async () => {
    const { ui, ids } = await seat(4)
    const filter = encodeURIComponent(JSON.stringify({ stages: ['lead'], q: 'ada 1' }))
    const { status, headers, text } = await ui.get(`/contacts/export?filter=${filter}&columns=full_name,tags`)
    assert.equal(status, 200)
    assert.equal(text, '\ufefffull_name,tags\r\nAda 1,old\r\n')
    assert.match(headers['content-disposition']!, /^attachment; filename="contacts-\d{4}-\d\d-\d\d\.csv"$/)
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    await until('it is logged', () => kith.log.includes('Contacts were exported.'))
    assert.ok(!kith.log.includes('ada 1'))
    const all = await ui.post('/contacts/export', { ids: ids.slice(0, 2), columns: ['id'] })
    assert.deepEqual(all.text, `\ufeffid\r\n${ids.slice(0, 2).sort().join('\r\n')}\r\n`)
    assert.equal((await ui.get('/contacts/export?columns=secret')).status, 422)
  })

  test('a filter in the address is checked like a body', async () => {
    const { ui } = await seat(0)
    for (const [filter, path, code] of [
      ['{', 'filter', 'not_json'],
      ['[]', 'filter', 'wrong_type'],
      ['{"stages":"lead"}', 'filter/stages', 'wrong_type'],
      ['{"x":1}', 'filter/x', 'unknown_field'],
    ] as const) {
      const { status, body } = await ui.get(`/contacts/grid?filter=${encodeURIComponent(filter)}`)
      assert.deepEqual([status, body.details?.[0].path, body.details?.[0].code], [422, path, code])
    }
    const { body } = await ui.get('/contacts/grid?count=false')
    assert.deepEqual(body, { data: [], meta: { count: null, limit: 200, offset: 0 } })
  })
})
