import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { planImport } from './actions.ts'
import { readRows } from './source-file.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kith-test-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const BOM = '\ufeff'
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

const ENCODINGS: [name: string, encoding: string, encode: (text: string) => Buffer][] = [
  ['UTF-8', 'utf-8', (text) => Buffer.from(text)],
  ['UTF-8 with a mark', 'utf-8', (text) => Buffer.from(BOM + text)],
  ['UTF-16LE with a mark', 'utf-16le', (text) => Buffer.from(BOM + text, 'utf16le')],
  ['UTF-16LE', 'utf-16le', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16BE with a mark', 'utf-16be', (text) => utf16be(BOM + text)],
  ['UTF-16BE', 'utf-16be', utf16be],
  ['Windows-1252', 'windows-1252', (text) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1')],
]

for (const [name, encoding, encode] of ENCODINGS) {
  for (const delimiter of [',', ';', '\t']) {
    test(`${name} with ${JSON.stringify(delimiter)} between cells is recognised and read`, async () => {
      const rows = [
        ['Name', 'Société', 'City'],
        ['Zoë "Z"', 'Müller, Söhne; Co\tKG', '"Köln\nam Rhein €"'],
      ]
      for (let row = 0; row < 30_000; row++) rows.push([`José ${row}`, 'Café', 'Århus'])
      const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
      const path = await file(encode(rows.map((cells) => cells.map(cell).join(delimiter)).join('\r\n')))
      const plan = await planImport(path)
      assert.deepEqual(plan.format, { encoding, delimiter })
      assert.deepEqual(
        plan.mapping.columns.map(({ field }) => field),
        ['full_name', 'company', 'location'],
      )
      const read: string[][] = []
      for await (const part of readRows(plan.file, plan.format)) read.push(...part.rows.map(({ cells }) => cells))
      assert.deepEqual(read, rows)
    })
  }
}

test('a letter that was lost before, U+FFFD, is a letter', async () => {
  const plan = await planImport(await file(Buffer.from('Name\nJos\ufffd\n')))
  assert.equal(plan.format.encoding, 'utf-8')
})

const REFUSED: [name: string, bytes: Buffer, message: RegExp][] = [
  ['an empty file', Buffer.alloc(0), /The file is empty/],
  ['a file of empty rows', Buffer.from('\n\n,\n'), /The file has no rows/],
  ['an Excel workbook', Buffer.from('PK\x03\x04xx', 'latin1'), /Excel workbook/],
  ['a binary file', Buffer.from([1, 0, 0, 5, 0, 0, 7, 0, 0, 0, 1, 2]), /not a text file/],
  [
    'damaged UTF-8',
    Buffer.concat([Buffer.from('Name\nJosé\nZoë\nMüller\n'), Buffer.from([0xc3])]),
    /UTF-8, but is damaged/,
  ],
  [
    'damaged UTF-16',
    Buffer.concat([Buffer.from(`${BOM}Name\nJosé`, 'utf16le'), Buffer.from([0, 0xd8, 65, 0])]),
    /damaged/,
  ],
  ['an unknown encoding', Buffer.from([0x4e, 0x81, 0x8d, 0x0a, 0x9d]), /neither UTF-8 nor/],
  ['more than 100 columns', Buffer.from(`Name${',x'.repeat(100)}\n`), /more than 100 columns/],
  ['an unclosed quotation mark in the header', Buffer.from('Name,"x\nAda,y\n'), /Row 1, which must name the columns/],
]

for (const [name, bytes, message] of REFUSED) {
  test(`${name} is refused with what to do`, async () => {
    await assert.rejects(planImport(await file(bytes)), { code: 'validation', message })
  })
}

test('100 columns are taken', async () => {
  const plan = await planImport(await file(Buffer.from(`Name${',x'.repeat(99)}\nAda\n`)))
  assert.equal(plan.mapping.columns.length, 100)
})

test('a folder, and a file that is not there, are refused', async () => {
  await assert.rejects(planImport(folder), { code: 'validation', message: /must be a file/ })
  await assert.rejects(planImport(join(folder, 'no.csv')), { code: 'validation', message: /no such file/ })
})

let files = 0
async function file(bytes: Buffer): Promise<string> {
  const path = join(folder, `${files++}.csv`)
  await writeFile(path, bytes)
  return path
}
