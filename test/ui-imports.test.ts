import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { ImportPatch, Match } from '../server/src/imports/ui-schema.ts'
import { changeOrg } from '../server/src/orgs/actions.ts'
import {
  checked,
  counts,
  done,
  imported,
  problems,
  reached,
  sendFile,
  state,
  undone,
  upload,
} from './support/imports.ts'
import { withKith } from './support/kith.ts'
import type { Fields, Org } from './support/org.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'

const COMPANIES = new URL('../server/src/imports/testdata/sp500-companies.csv', import.meta.url)
const UPLOAD_BYTES_MAX = 400_000

withKith(
  (kith) => {
    let receiver: Receiver
    before(async () => {
      receiver = await startReceiver()
    })
    after(() => receiver.close())

    test('503 companies are uploaded, checked, imported and undone', async () => {
      const org = await kith.org()
      const ui = await kith.ui(org, 'member', { name: 'Grace Hopper' })
      const made = await upload(ui, await readFile(COMPANIES), 'sp500-companies.csv')
      assert.deepEqual(
        [made.state, made.file_name, made.created_by, made.encoding, made.delimiter],
        ['uploaded', 'sp500-companies.csv', 'Grace Hopper', 'utf-8', ','],
      )
      const company = made.columns.find(({ field }) => field === 'company')
      assert.deepEqual(company?.samples, ['3M', 'A. O. Smith', 'Abbott Laboratories'])
      const ready = await checked(ui, made.id)
      assert.deepEqual(ready.checked, counts({ rows_read: 503, rows_added: 503 }))
      assert.deepEqual(await org.eventNames(), [])
      done(await ui.post(`/imports/${made.id}/run`, { skip_problems: false }))
      const over = await reached(ui, made.id, 'done')
      assert.deepEqual(over.counts, counts({ rows_read: 503, rows_added: 503 }))
      assert.deepEqual(await org.eventNames(), Array(503).fill('contact.created'))
      const [listed] = (await ui.get('/imports')).body.data
      assert.deepEqual([listed.id, listed.state, listed.can_undo], [made.id, 'done', true])
      const preview = done(await ui.get(`/imports/${made.id}/undo-preview`))
      assert.deepEqual(preview, { removed: 503, restored: 0, kept: [], kept_count: 0 })
      const gone = await undone(ui, made.id)
      assert.deepEqual([gone.undone, gone.can_undo], [{ removed: 503, restored: 0, kept: 0 }, false])
      assert.equal(await contactCount(org), 0)
    })

    const KNOWN: [match: Match, expected: ReturnType<typeof counts>, ada: Fields][] = [
      [
        { on: 'email', known: 'skip' },
        counts({ rows_read: 5, rows_added: 2, rows_skipped: 3 }),
        { phone: null, label: 'cold', tags: ['old'] },
      ],
      [
        { on: 'email', known: 'fill' },
        counts({ rows_read: 5, rows_added: 2, rows_updated: 3 }),
        { phone: '1', label: 'cold', tags: ['old', 'new'] },
      ],
      [
        { on: 'email', known: 'update' },
        counts({ rows_read: 5, rows_added: 2, rows_updated: 3 }),
        { phone: '2', label: 'hot', tags: ['old', 'new'] },
      ],
      [
        { on: 'email', known: 'add' },
        counts({ rows_read: 5, rows_added: 5 }),
        { phone: null, label: 'cold', tags: ['old'] },
      ],
      [
        { on: 'name', known: 'update' },
        counts({ rows_read: 5, rows_added: 2, rows_updated: 3 }),
        { phone: '2', label: 'hot', tags: ['old', 'new'] },
      ],
    ]
    for (const [match, expected, ada] of KNOWN) {
      test(`rows about a contact that is there, or that came earlier in the file: ${match.on}, ${match.known}`, async () => {
        const org = await kith.org()
        const ui = await kith.ui(org)
        const known = { full_name: 'Ada', company: 'Acme', email: 'ada@example.com', label: 'cold', tags: ['old'] }
        const there = await org.addContact(known)
        const text = [
          'Name,Company,Email,Phone,Label,Tags',
          'Ada,Acme,ADA@example.com,1,hot,new',
          'Bob,Acme,bob@example.com,,,',
          'Ada,ACME,ada@EXAMPLE.com,2,,',
          'Bob,Acme,bob@example.com,3,,',
          'Eve,,,,,',
        ].join('\n')
        const after = await imported(ui, text, { match })
        assert.deepEqual([after.checked, after.counts], [expected, expected])
        assert.equal(await contactCount(org), 1 + expected.rows_added)
        const { phone, label, tags } = done(await ui.get(`/contacts/${there.id}`))
        assert.deepEqual({ phone, label, tags }, ada)
        const updates = (await org.eventNames()).filter((name) => name === 'contact.updated').length
        assert.equal(updates > 0, expected.rows_updated > 0)
      })
    }

    test('problems are shown with their cell, corrected there, and left out of the import', async () => {
      const org = await kith.org()
      await kith.db.write((tx) => changeOrg(tx, org.id, { strict_stages: true, stages: ['lead'] }))
      const ui = await kith.ui(org)
      const rows = ['Ada,ada@,1,lead', '=1+1,eve@example.com,lots,', ',x@example.com,,', 'Tim,,2,maybe', 'Bob,,3,lead']
      const { id } = await upload(ui, ['Name,Email,Value,Stage', ...rows].join('\n'))
      assert.equal((await ui.get(`/imports/${id}/problems`)).body.meta.count, 0)
      const ready = await checked(ui, id)
      assert.deepEqual(ready.checked, counts({ rows_read: 5, rows_added: 1, rows_rejected: 4 }))
      const { data, meta } = await problems(ui, id)
      assert.deepEqual(
        [meta.count, data.map(({ row, cell, reason }) => [row, cell, reason])],
        [
          4,
          [
            [2, 1, 'email must be an e-mail address such as ada@example.com.'],
            [3, 2, 'deal_value must be an amount such as 1234.50; it is "lots".'],
            [4, 0, 'A contact needs a full_name or a company.'],
            [5, null, "deal_stage must be a stage of the org's pipeline."],
          ],
        ],
      )
      assert.deepEqual((await problems(ui, id, '?limit=1&offset=3')).data, data.slice(3))
      const still = done(await ui.patch(`/imports/${id}/problems/2`, { cells: ['Ada', 'ada@x', '1', 'lead'] }))
      assert.deepEqual([still.problem.cell, still.checked.rows_rejected], [1, 4])
      const fixed = done(await ui.patch(`/imports/${id}/problems/2`, { cells: ['Ada', 'ada@x.org', '1', 'lead'] }))
      assert.deepEqual(fixed, { problem: null, checked: counts({ rows_read: 5, rows_added: 2, rows_rejected: 3 }) })
      done(await ui.patch(`/imports/${id}/problems/3`, { cells: ["'=1+1", 'eve@example.com', '5', ''] }))
      await org.refuses([404, 'not_found'], () => ui.patch(`/imports/${id}/problems/3`, { cells: ['Eve'] }))
      const file = await ui.get(`/imports/${id}/problems.csv`)
      assert.equal(file.headers['content-disposition'], 'attachment; filename="kith-import-problems.csv"')
      assert.equal(
        file.text,
        `\ufeffName,Email,Value,Stage,reason\r\n` +
          `,x@example.com,,,Row 4: A contact needs a full_name or a company.\r\n` +
          `Tim,,2,maybe,Row 5: deal_stage must be a stage of the org's pipeline.\r\n`,
      )
      await org.refuses([422, 'validation'], () => ui.post(`/imports/${id}/run`, { skip_problems: false }))
      done(await ui.post(`/imports/${id}/run`, { skip_problems: true }))
      const over = await reached(ui, id, 'done')
      assert.deepEqual(over.counts, counts({ rows_read: 5, rows_added: 3, rows_rejected: 2 }))
      assert.equal((await problems(ui, id)).meta.count, 2)
      const { data: made } = (await org.api.get('/contacts')).body
      assert.deepEqual(made.map(({ full_name }: Fields) => full_name).sort(), ["'=1+1", 'Ada', 'Bob'])
    })

    test('encoding, delimiter, columns, decimal mark and a tag for all can be changed, and a check counts no more then', async () => {
      const org = await kith.org()
      const ui = await kith.ui(org)
      const made = await upload(ui, Buffer.from('Who;Worth\nAd\xe8le;1.234\nBob;5\n', 'latin1'))
      assert.deepEqual([made.encoding, made.delimiter, made.decimal_mark], ['windows-1252', ';', ','])
      assert.deepEqual(
        made.columns.map(({ name, field, samples }) => [name, field, samples]),
        [
          ['Who', null, ['Adèle', 'Bob']],
          ['Worth', null, ['1.234', '5']],
        ],
      )
      const path = `/imports/${made.id}`
      await org.refuses([422, 'validation'], () => ui.post(`${path}/check`, {}))
      await org.refuses([422, 'validation'], () => ui.patch(path, { fields: ['full_name'] }))
      await org.refuses([422, 'validation'], () => ui.patch(path, { fields: ['full_name', 'full_name'] }))
      await org.refuses([422, 'validation'], () => ui.patch(path, { delimiter: 'x' }))
      const mapped = done(await ui.patch(path, { fields: ['full_name', 'deal_value'] }))
      assert.equal(mapped.is_mark_a_guess, true)
      await checked(ui, made.id)
      const changed = done(await ui.patch(path, { decimal_mark: '.', tag: 'Fair 2026' }))
      assert.deepEqual([changed.state, changed.checked], ['uploaded', null])
      await org.refuses([422, 'validation'], () => ui.post(`${path}/run`, { skip_problems: true }))
      const split = done(await ui.patch(path, { delimiter: ',' }))
      assert.deepEqual(
        split.columns.map(({ name }: Fields) => name),
        ['Who;Worth'],
      )
      const back: ImportPatch = { delimiter: ';', fields: ['full_name', 'deal_value'], decimal_mark: '.' }
      await checked(ui, made.id, back)
      done(await ui.post(`${path}/run`, { skip_problems: true }))
      await reached(ui, made.id, 'done')
      const { data } = (await org.api.get('/contacts')).body
      const found = await Promise.all(data.map(async ({ id }: Fields) => done(await ui.get(`/contacts/${id}`))))
      assert.deepEqual(found.map(({ full_name, deal_value, tags }) => [full_name, deal_value, tags]).sort(), [
        ['Adèle', 1.234, ['Fair 2026']],
        ['Bob', 5, ['Fair 2026']],
      ])
    })

    test('what is no usable file is refused, and leaves nothing', async () => {
      const org = await kith.org()
      const ui = await kith.ui(org)
      const refused: [status: number, code: string, bytes: string | Uint8Array, message: RegExp][] = [
        [422, 'validation', '', /empty/],
        [422, 'validation', Buffer.from('PK\x03\x04rest'), /Excel workbook/],
        [422, 'validation', Buffer.from([0x4e, 0x81, 0xff, 0x0a]), /neither UTF-8/],
        [422, 'validation', `${'a,'.repeat(101)}\n`, /more than 100 columns/],
        [413, 'payload_too_large', `Name\n${'Ada\n'.repeat(UPLOAD_BYTES_MAX / 4)}`, /at most/],
      ]
      for (const [status, code, bytes, message] of refused) {
        const answer = await org.refuses([status, code], () => sendFile(ui, bytes))
        assert.match(answer.body.message, message)
      }
      await org.refuses([415, 'unsupported_media_type'], () =>
        ui.post('/imports/upload?name=a.csv', 'Name\nAda\n', { 'content-type': 'application/json' }),
      )
      assert.deepEqual((await ui.get('/imports')).body.data, [])
      const parts = () => kith.db.read.selectFrom('import_file').select('part').where('org_id', '=', org.id).execute()
      await until('their parts are erased', async () => (await parts()).length === 0, 60_000)
    })

    test('a file that is uploaded again says when it was imported; one that was not imported is removed', async () => {
      const org = await kith.org()
      const ui = await kith.ui(org)
      const first = await imported(ui, 'Name\nAda\n')
      const { id, imported_before } = await upload(ui, 'Name\nAda\n')
      assert.equal(imported_before, first.finished_at)
      done(await ui.delete(`/imports/${id}`))
      assert.equal((await ui.get(`/imports/${id}`)).status, 404)
      await org.refuses([422, 'validation'], () => ui.delete(`/imports/${first.id}`))
    })

    test('undoing leaves what people have done since: edited fields, edited contacts, and those with notes or tasks', async () => {
      const org = await kith.org()
      const ui = await kith.ui(org)
      const there = await org.addContact({ full_name: 'Ada', email: 'ada@example.com', label: 'cold', phone: '0' })
      const untouched = await org.addContact({ full_name: 'Uma', email: 'uma@example.com', label: 'cold' })
      const text = [
        'Name,Email,Phone,Label',
        'Ada,ada@example.com,1,hot',
        'Uma,uma@example.com,,hot',
        'Bob,bob@example.com,,',
        'Edna,edna@example.com,,',
        'Tess,tess@example.com,,',
      ].join('\n')
      const { id } = await imported(ui, text, { match: { on: 'email', known: 'update' } })
      const { data } = (await org.api.get('/contacts')).body
      const idOf = (name: string) => data.find(({ full_name }: Fields) => full_name === name).id
      done(await ui.patch(`/contacts/${there.id}`, { label: 'warm' }))
      done(await ui.patch(`/contacts/${idOf('Edna')}`, { phone: '5' }))
      await org.addTask({ contact_id: idOf('Tess') })

      const hook = receiver.hook()
      await org.subscribe(hook.url)
      const preview = done(await ui.get(`/imports/${id}/undo-preview`))
      assert.deepEqual([preview.removed, preview.restored, preview.kept_count], [1, 2, 3])
      assert.deepEqual(
        preview.kept.map(({ name, because, fields }: Fields) => [name, because, fields]),
        [
          ['Ada', 'edited', ['label']],
          ['Edna', 'edited', []],
          ['Tess', 'used', []],
        ],
      )
      assert.deepEqual((await undone(ui, id)).undone, { removed: 1, restored: 2, kept: 2 })
      await until('the receiver was told', () => hook.received.length >= 3)
      assert.deepEqual(hook.received.map(({ json }) => json.event).sort(), [
        'contact.deleted',
        'contact.updated',
        'contact.updated',
      ])
      const ada = done(await ui.get(`/contacts/${there.id}`))
      assert.deepEqual([ada.label, ada.phone], ['warm', '0'])
      assert.equal(done(await ui.get(`/contacts/${untouched.id}`)).label, 'cold')
      const left = (await org.api.get('/contacts')).body.data.map(({ full_name }: Fields) => full_name)
      assert.deepEqual(left.sort(), ['Ada', 'Edna', 'Tess', 'Uma'])
      await org.settled()
      await org.refuses([422, 'validation'], () => ui.post(`/imports/${id}/undo`, {}))
    })

    test('what the command has imported is listed, and can be undone', async () => {
      const org = await kith.org()
      const ui = await kith.ui(org)
      const path = join(kith.folder, 'cli.csv')
      await writeFile(path, 'Name\nAda\nBob\n')
      const { value } = await kith.command('import', path, '--org', org.id)
      const [listed] = (await ui.get('/imports')).body.data
      assert.deepEqual(
        [listed.id, listed.file_name, listed.created_by, listed.state],
        [value.import_id, 'cli.csv', 'Command line', 'done'],
      )
      assert.deepEqual((await undone(ui, listed.id)).undone, { removed: 2, restored: 0, kept: 0 })
      assert.equal(await contactCount(org), 0)
    })

    test('sample data is an import that undoing takes back, tasks and all', async () => {
      const org = await kith.org()
      const ui = await kith.ui(org, 'admin')
      const own = await org.addContact()
      const { id } = done(await ui.post('/sample-data', {}), 201)
      const made = await reached(ui, id, 'done')
      assert.deepEqual([made.file_name, made.counts.rows_added], ['Sample data', 100])
      assert.equal((await org.api.get('/tasks')).body.meta.count, 20)
      assert.equal((await org.rows()).activity?.filter((row) => String(row).includes('"kind":"note"')).length, 20)
      await org.refuses([422, 'validation'], () => ui.post('/sample-data', {}))
      const [task] = (await org.api.get('/tasks?status=open')).body.data
      done(await ui.patch(`/tasks/${task.id}`, { title: 'Mine now' }))
      assert.deepEqual((await undone(ui, id)).undone, { removed: 99, restored: 0, kept: 1 })
      const { data } = (await org.api.get('/contacts')).body
      assert.deepEqual(data.map((row: Fields) => row.id).sort(), [own.id, task.contact_id].sort())
      assert.deepEqual(
        (await org.api.get('/tasks')).body.data.map(({ title }: Fields) => title),
        ['Mine now'],
      )
      done(await ui.post('/sample-data', {}), 201)
    })

    test('an import is stopped, keeps what is done, and goes on where it was', async () => {
      const org = await kith.org()
      const ui = await kith.ui(org)
      const names = Array.from({ length: 6_000 }, (_, at) => `Person ${at}`)
      const { id } = await upload(ui, `Name\n${names.join('\n')}\n`)
      await checked(ui, id)
      done(await ui.post(`/imports/${id}/run`, { skip_problems: true }))
      await until('some are there', async () => (await state(ui, id)).counts.rows_added > 0, 60_000)
      const stopped = done(await ui.post(`/imports/${id}/stop`, {}))
      assert.deepEqual([stopped.state, stopped.can_continue, stopped.can_undo], ['stopped', true, true])
      assert.ok(stopped.counts.rows_added < names.length)
      assert.equal(await contactCount(org), stopped.counts.rows_added)
      await org.refuses([422, 'validation'], () => ui.post(`/imports/${id}/stop`, {}))
      done(await ui.post(`/imports/${id}/continue`, {}))
      assert.equal((await reached(ui, id, 'done')).counts.rows_added, names.length)
      const rows = await kith.db.read
        .selectFrom('contact')
        .select('full_name')
        .where('org_id', '=', org.id)
        .orderBy('id')
        .execute()
      assert.deepEqual(
        rows.map(({ full_name }) => full_name),
        names,
      )
    })
  },
  { KITH_UPLOAD_BYTES_MAX: String(UPLOAD_BYTES_MAX) },
)

async function contactCount(org: Org): Promise<number> {
  return (await org.api.get('/contacts')).body.meta.count
}
