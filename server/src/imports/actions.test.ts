import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { engines } from '../../../test/support/databases.ts'
import { contactLine } from '../contacts/contact-line.ts'
import { CONTACT_COLUMNS } from '../contacts/export-schema.ts'
import type { ContactInput } from '../contacts/schema.ts'
import type { Database } from '../database/engine.ts'
import { changeOrg, createOrg } from '../orgs/actions.ts'
import { BYTE_ORDER_MARK, csvLine } from '../text/csv.ts'
import { checkImport, importFile, planImport } from './actions.ts'
import { compileConvert } from './convert.ts'
import { parseMap } from './map-text.ts'
import { rejectedPathOf } from './rejected-file.ts'
import { NO_COUNTS } from './schema.ts'
import { readRows } from './source-file.ts'

for (const engine of engines) {
  const onEngine = (name: string, body: (t: TestContext, kit: Kit) => Promise<void>) =>
    test(`${engine.name}: ${name}`, async (t) => {
      const { db } = await engine.open(t)
      const org = await db.write((tx) => createOrg(tx, { name: 'Acme' }))
      await body(t, { db, orgId: org.id, folder: await folderFor(t) })
    })

  onEngine('the 503 companies of the S&P 500 are imported as they are', async (_t, { db, orgId, folder }) => {
    const path = join(folder, 'companies.csv')
    await copyFile(new URL('testdata/sp500-companies.csv', import.meta.url), path)
    const result = await importFile(db, orgId, await planImport(path), { rejectedFile: rejectedPathOf(path) })
    assert.deepEqual(result.counts, { ...NO_COUNTS, rows_read: 503, rows_added: 503, rows_rejected: 0 })
    assert.equal(result.rejectedFile, null)
    assert.deepEqual(await readdir(folder), ['companies.csv'])
    const [first] = await contactsOf(db, orgId)
    assert.deepEqual(
      [first!.full_name, first!.company, first!.location, JSON.parse(first!.tags)],
      [null, '3M', 'Saint Paul, Minnesota', ['Industrials', 'Industrial Conglomerates']],
    )
    assert.equal((await contactsOf(db, orgId)).length, 503)
    assert.deepEqual(await eventNames(db, orgId), Array(503).fill('contact.created'))
  })

  onEngine('rows that cannot be taken are written with their reason, and can be corrected there', async (_t, kit) => {
    const { db, orgId, folder } = kit
    const path = join(folder, 'people.CSV')
    const bad = [
      ['', '', 'x@example.com', '', ''],
      ['Eve', 'Acme', 'eve@', 'lots', '=1+1'],
      ['Bob', 'x'.repeat(201), '', '', "'=2"],
      ['Tim', '', '', '1', 'note', 'beyond'],
    ]
    const good = ['Ada', 'Acme; Co', 'ada@example.com', '1.234,50', 'kept']
    const rows = [['Name', 'Company', 'E-mail', 'Value', 'Note'], good, ...bad, good]
    await writeFile(path, rows.map((cells) => cells.map((cell) => `"${cell}"`).join(';')).join('\n'))
    const result = await importFile(db, orgId, await planImport(path), { rejectedFile: rejectedPathOf(path) })
    assert.deepEqual(result.counts, { ...NO_COUNTS, rows_read: 6, rows_added: 2, rows_rejected: 4 })
    assert.deepEqual(
      result.problems.map(({ number }) => number),
      [3, 4, 5, 6],
    )
    const rejectedPath = join(folder, 'people.rejected.csv')
    assert.equal(result.rejectedFile, rejectedPath)
    assert.equal((await stat(rejectedPath)).mode & 0o777, 0o600)
    assert.deepEqual((await readdir(folder)).sort(), ['people.CSV', 'people.rejected.csv'])
    const text = await readFile(rejectedPath, 'utf8')
    const reasons = [
      'Row 3: A contact needs a full_name or a company.',
      'Row 4: deal_value must be an amount such as 1234.50; it is "lots". email must be an e-mail address such as ada@example.com.',
      'Row 5: company must be at most 200 characters; it has 201.',
      'Row 6: The row has 6 cells, but there are 5 columns. Beyond the last column: beyond',
    ]
    const expected = bad.map(([name, company, email, value, note], at) => {
      return csvLine([name!, company!, email!, value!, note!.replace("'=", '='), reasons[at]!], ';')
    })
    assert.equal(text, BYTE_ORDER_MARK + csvLine([...rows[0]!, 'reason'], ';') + expected.join(''))
    assert.equal((await contactsOf(db, orgId)).length, 2)

    await writeFile(rejectedPath, text.replace('eve@', 'eve@example.com').replace('lots', '5'))
    const second = await importFile(db, orgId, await planImport(rejectedPath))
    assert.deepEqual(second.counts, { ...NO_COUNTS, rows_read: 4, rows_added: 2, rows_rejected: 2 })
    assert.deepEqual(
      (await contactsOf(db, orgId)).map(({ full_name, deal_value }) => [full_name, deal_value]),
      [
        ['Ada', 1234.5],
        ['Ada', 1234.5],
        ['Eve', 5],
        ['Tim', 1],
      ],
    )
  })

  onEngine('a stage that a strict pipeline lacks rejects its row alone', async (_t, { db, orgId, folder }) => {
    await db.write((tx) => changeOrg(tx, orgId, { strict_stages: true, stages: ['lead', 'won'] }))
    const path = join(folder, 'deals.csv')
    await writeFile(path, 'Name,Stage\nAda,lead\nEve,maybe\nBob,\nTim,won\n')
    const plan = await planImport(path)
    const dry = await checkImport(db, orgId, plan)
    assert.deepEqual([dry.importId, await contactsOf(db, orgId), await jobCount(db, orgId)], [null, [], 0])
    const result = await importFile(db, orgId, plan)
    assert.deepEqual(result.counts, { ...NO_COUNTS, rows_read: 4, rows_added: 3, rows_rejected: 1 })
    assert.deepEqual([dry.counts, dry.problems], [result.counts, result.problems])
    assert.match(result.problems[0]!.reason, /deal_stage must be a stage/)
    assert.deepEqual(
      (await contactsOf(db, orgId)).map(({ full_name }) => full_name),
      ['Ada', 'Bob', 'Tim'],
    )
    assert.equal((await eventNames(db, orgId)).length, 3)
  })

  onEngine('a file that was imported whole is refused with its date, unless again', async (_t, kit) => {
    const { db, orgId, folder } = kit
    const path = join(folder, 'a.csv')
    await writeFile(path, 'Name\nAda\n')
    await importFile(db, orgId, await planImport(path))
    await copyFile(path, join(folder, 'b.csv'))
    const copy = await planImport(join(folder, 'b.csv'))
    const refusal = { code: 'validation', message: /was imported on \d{4}-.*Z: 1 contacts added, 0 rows rejected/ }
    await assert.rejects(importFile(db, orgId, copy), refusal)
    await assert.rejects(checkImport(db, orgId, copy), refusal)
    assert.equal((await contactsOf(db, orgId)).length, 1)
    await importFile(db, orgId, copy, { again: true })
    assert.equal((await contactsOf(db, orgId)).length, 2)
    const other = await db.write((tx) => createOrg(tx, { name: 'Other' }))
    await importFile(db, other.id, copy)
    assert.equal((await contactsOf(db, other.id)).length, 1)
  })

  onEngine('an import that stopped goes on where it was, by the plan it was begun with', async (_t, kit) => {
    const { db, orgId, folder } = kit
    const path = join(folder, 'many.csv')
    const lines = Array.from({ length: 1000 }, (_, at) => `Person ${at},x`)
    await writeFile(path, `Name,Team\n${lines.join('\n')}\n`)
    const plan = await planImport(path, parseMap('Team=tag').fields)
    const stop = new Error('stop')
    const isStopped = importFile(db, orgId, plan, {
      onProgress() {
        throw stop
      },
    })
    await assert.rejects(isStopped, stop)
    const before = (await contactsOf(db, orgId)).length
    assert.ok(before > 0 && before < 1000)
    const otherPlan = await planImport(path, parseMap('Team=label').fields)
    await assert.rejects(importFile(db, orgId, otherPlan, { keepsPlan: true }), { message: /with other fields/ })
    const result = await importFile(db, orgId, await planImport(path))
    assert.deepEqual([result.rowsBefore, result.counts.rows_added], [before, 1000])
    const contacts = await contactsOf(db, orgId)
    assert.deepEqual(
      contacts.map(({ full_name }) => full_name),
      lines.map((line) => line.split(',')[0]),
    )
    assert.ok(contacts.every(({ tags }) => tags === '["x"]'))
    assert.equal(await jobCount(db, orgId), 1)
  })

  onEngine('two runs of one file at once take each row once', async (_t, { db, orgId, folder }) => {
    const path = join(folder, 'many.csv')
    await writeFile(path, `Name\n${Array.from({ length: 1000 }, (_, at) => `Person ${at}`).join('\n')}\n`)
    const plan = await planImport(path)
    const runs = await Promise.allSettled([importFile(db, orgId, plan), importFile(db, orgId, plan)])
    for (const run of runs) if (run.status === 'rejected') assert.match(String(run.reason), /Another process/)
    await importFile(db, orgId, plan).catch((error) => assert.match(String(error), /was imported on/))
    assert.equal(new Set((await contactsOf(db, orgId)).map(({ full_name }) => full_name)).size, 1000)
    assert.equal((await contactsOf(db, orgId)).length, 1000)
  })

  onEngine('exported contacts are imported as they were', async (_t, { db, orgId, folder }) => {
    const contacts = generated(1000)
    const path = join(folder, 'export.csv')
    await writeFile(path, exported(contacts))
    const { counts } = await importFile(db, orgId, await planImport(path))
    assert.deepEqual(counts, { ...NO_COUNTS, rows_read: 1000, rows_added: 1000, rows_rejected: 0 })
    const rows = await contactsOf(db, orgId)
    const fields = rows.map((row) => ({ ...Object.fromEntries(CONTACT_COLUMNS.map((name) => [name, row[name]])) }))
    assert.deepEqual(
      fields.map((row) => ({ ...row, tags: JSON.parse(String(row.tags)) })),
      contacts,
    )
  })

  onEngine('an unknown org has no import', async (_t, { db, folder }) => {
    const path = join(folder, 'a.csv')
    await writeFile(path, 'Name\nAda\n')
    const plan = await planImport(path)
    const unknown = '00000000-0000-7000-8000-000000000000'
    await assert.rejects(importFile(db, unknown, plan), { code: 'not_found' })
    await assert.rejects(checkImport(db, unknown, plan), { code: 'not_found' })
  })
}

test('20,000 generated contacts come back from their export equal, with each delimiter', async (t) => {
  const folder = await folderFor(t)
  const contacts = generated(20_000)
  for (const delimiter of [',', ';', '\t']) {
    const path = join(folder, 'export.csv')
    await writeFile(path, exported(contacts, delimiter))
    const plan = await planImport(path)
    const convert = compileConvert(plan.mapping)
    const inputs: unknown[] = []
    for await (const { rows } of readRows(plan.file, plan.format)) inputs.push(...rows.map((row) => convert(row).input))
    assert.deepEqual(inputs.slice(1), contacts)
  }
})

test('a file that changes while it is read is not imported to its end', async (t) => {
  const path = join(await folderFor(t), 'a.csv')
  await writeFile(path, 'Name\nAda\n')
  const plan = await planImport(path)
  await writeFile(path, 'Name\nEve\n')
  await assert.rejects(Array.fromAsync(readRows(plan.file, plan.format)), { message: /was changed/ })
})

interface Kit {
  db: Database
  orgId: string
  folder: string
}

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function contactsOf(db: Database, orgId: string) {
  return db.read.selectFrom('contact').selectAll().where('org_id', '=', orgId).orderBy('id').execute()
}

async function eventNames(db: Database, orgId: string): Promise<string[]> {
  const events = await db.read.selectFrom('event').select('name').where('org_id', '=', orgId).execute()
  return events.map(({ name }) => name)
}

async function jobCount(db: Database, orgId: string): Promise<number> {
  return (await db.read.selectFrom('import_job').select('id').where('org_id', '=', orgId).execute()).length
}

function exported(contacts: ReturnType<typeof generated>, delimiter = ','): string {
  const lines = contacts.map((contact) => contactLine(contact as Parameters<typeof contactLine>[0], delimiter))
  return BYTE_ORDER_MARK + csvLine(CONTACT_COLUMNS, delimiter) + lines.join('')
}

/** Contacts of the letters that CSV, spreadsheets and lists in a cell give a meaning to. */
function generated(count: number): Required<Omit<ContactInput, 'id' | 'created_at' | 'updated_at'>>[] {
  const letters = [..."=+-@'\"',;\t\r\n |aB1é😀ж.", '\r\n']
  let seed = 42
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  const text = () =>
    Array.from({ length: random(12) }, () => letters[random(letters.length)])
      .join('')
      .trim()
  const values = [0.5, -1234.567, 1.234, 48_200, 1e-7, 999_999_999_999_999, -3, 0, null, null]
  return Array.from({ length: count }, (_, at) => ({
    full_name: `${text()}${at}`,
    company: text() || null,
    email: at % 3 ? null : `-user${at}@example.com`,
    phone: at % 2 ? null : `+44 ${at}`,
    location: text() || null,
    deal_stage: text() || null,
    deal_value: values[random(values.length)]!,
    label: text() || null,
    tags: [...new Set(Array.from({ length: random(4) }, text))].filter((tag) => tag !== ''),
  }))
}
