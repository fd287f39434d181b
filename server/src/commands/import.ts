import { checkImport, type ImportResult, importFile, planImport } from '../imports/actions.ts'
import { NO_FIELD, parseMap } from '../imports/map-text.ts'
import { rejectedPathOf } from '../imports/rejected-file.ts'
import { COLUMN_FIELDS, type Column } from '../imports/schema.ts'
import { oneOf, path, text } from '../settings/value-kinds.ts'
import { visibleText } from '../text/visible-text.ts'
import { defineCommand } from './command.ts'
import { withDatabase } from './database.ts'
import { Misuse } from './failure.ts'
import { importProgress } from './import-progress.ts'
import { orgOption } from './record-options.ts'
import type { Style } from './style.ts'
import { table } from './table.ts'

const FIELD_MEANINGS: Record<string, string> = {
  first_name: 'With last_name, for full_name.',
  last_name: 'With first_name, for full_name.',
  location: 'Several columns are joined.',
  tags: 'Several tags in a cell, between semicolons or commas; several columns are taken together.',
  tag: 'The whole cell is one tag.',
  [NO_FIELD]: 'The column is not imported.',
}

export const importCommand = defineCommand({
  arguments: {
    file: { kind: path('FILE'), placeholder: 'FILE.csv', meaning: 'The file; its first row names the columns.' },
  },
  options: {
    org: orgOption,
    map: { kind: text('Column=field,…'), meaning: 'Fields for some columns; the others are guessed.' },
    match: {
      kind: oneOf(['email', 'name']),
      meaning: 'What tells that a contact is there already: its address, or its name and company; needs --known.',
    },
    known: {
      kind: oneOf(['skip', 'fill', 'update', 'add']),
      meaning: 'What becomes of a row about such a contact; add unless said.',
    },
    'dry-run': { meaning: 'Read and check the whole file, and write nothing.' },
    again: { meaning: 'Import a file that was imported whole once more.' },
  },
  details: [
    'Adds a contact for each row of a CSV file of any size and says how it guessed the columns. Rows that cannot be ' +
      'taken are written, each with its reason, to FILE.rejected.csv beside the file: correct them there and import that.',
    'An import that was stopped, in whatever way, goes on when it is run again: no row is taken twice. A file that was ' +
      'imported whole is known by its bytes and refused, unless --again.',
    'With --known a row about a contact that is there is left out (skip), sets what the contact lacks (fill), or what ' +
      'the row has (update). Its tags are put beside those that are there; an empty cell changes nothing. Contacts are ' +
      'known by their address, or with --match name by name and company.',
    'The text may be UTF-8, UTF-16 or Windows-1252, with commas, semicolons or tabs between cells. A cell has at most ' +
      '16 KiB, a row 100 cells. Amounts may have a currency; "1.234" is read as the other amounts of the column show ' +
      'it, else as the separator suggests: a thousand with semicolons, one and a bit with commas and tabs.',
    'Prints {import_id, file, dry_run, rows_read, added, updated, skipped, rejected, continued_from, rejected_file, encoding, ' +
      'delimiter, mapping, problems}. The counts are over all runs, continued_from is the number of rows ' +
      'that earlier ones had read; mapping lists {column, field, by}, by being given, name, content or null; problems ' +
      'lists {row, reason} of the first five rejected rows. import_id is null with --dry-run.',
    'The exit code is 0 when every row was dealt with, also when rows were rejected.',
  ],
  lists: [
    {
      heading: 'Fields of --map:',
      rows: [
        [COLUMN_FIELDS.filter((field) => !(field in FIELD_MEANINGS)).join(', '), 'As in the API.'],
        ...Object.entries(FIELD_MEANINGS),
      ],
    },
  ],
  examples: [
    { command: 'kith import contacts.csv --org ID --dry-run', does: 'Shows what would be imported.' },
    { command: 'kith import contacts.csv --org ID', does: 'Imports it.' },
    {
      command: 'kith import crm.csv --org ID --map "Owner=tag,Region=none"',
      does: 'Makes the owner a tag and leaves the region out.',
    },
  ],
  async run({ file, org, map, match, known, 'dry-run': isDryRun, again }, context) {
    const given = parseMap(map ?? '')
    if (given.faults.length > 0) throw new Misuse(...given.faults.map((fault) => `--map: ${fault}`))
    if (match && !known) throw new Misuse('--match needs --known: what is to become of contacts that are there.')
    await withDatabase(context, async (db) => {
      const plan = await planImport(file, given.fields, { on: match ?? 'email', known: known ?? 'add' })
      const progress = importProgress(context.terminal.stderr, plan.file.bytes)
      const options = { again, keepsPlan: map !== undefined || known !== undefined, onProgress: progress.show }
      const work = isDryRun
        ? checkImport(db, org, plan, options)
        : importFile(db, org, plan, { ...options, rejectedFile: rejectedPathOf(file) })
      const result = await work.finally(progress.end)
      context.print(answerOf(file, result), (style) => summaryOf(result, style))
    })
  },
})

function answerOf(file: string, { importId, plan, counts, rowsBefore, problems, rejectedFile }: ImportResult) {
  return {
    import_id: importId,
    file,
    dry_run: importId === null,
    rows_read: counts.rows_read,
    added: counts.rows_added,
    updated: counts.rows_updated,
    skipped: counts.rows_skipped,
    rejected: counts.rows_rejected,
    continued_from: rowsBefore,
    rejected_file: rejectedFile,
    encoding: plan.format.encoding,
    delimiter: plan.format.delimiter,
    mapping: plan.mapping.columns.map(({ name, field, by }) => ({ column: name, field, by })),
    problems: problems.map(({ number, reason }) => ({ row: number, reason })),
  }
}

const DELIMITER_NAMES: Record<string, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' }

const BY: Record<NonNullable<Column['by']>, string> = {
  given: 'as you said',
  name: 'from its name',
  content: 'from its first values',
}

function summaryOf(result: ImportResult, style: Style): string {
  const { plan, counts, rowsBefore, problems, rejectedFile } = result
  const isDryRun = result.importId === null
  const mapping = table(
    plan.mapping.columns,
    [
      { title: 'COLUMN', value: ({ name }) => name },
      { title: 'FIELD', value: ({ field }) => field },
      { title: 'WHY', value: ({ field, by }) => (by ? BY[by] : field === null ? 'not imported' : '') },
    ],
    style,
  )
  const would = isDryRun ? 'would be ' : ''
  const matched =
    plan.match.known === 'add'
      ? []
      : [
          [counts.rows_updated, 'updated'],
          [counts.rows_skipped, 'skipped'],
        ]
  const outcomes = [[counts.rows_added, 'added'], ...matched, [counts.rows_rejected, 'rejected']].map(
    ([count, what]) => `${counted(Number(count))} ${would}${what}`,
  )
  const hasMore = counts.rows_rejected > problems.length
  return [
    mapping,
    '',
    `${plan.format.encoding.toUpperCase()}, ${DELIMITER_NAMES[plan.format.delimiter]} between cells.`,
    ...(rowsBefore > 0 ? [`Went on after ${rowsOf(rowsBefore)} of an earlier run.`] : []),
    `${rowsOf(counts.rows_read)} read: ${outcomes.join(', ')}.`,
    ...problems.map(({ number, reason }) => style.dim(`  Row ${number}: ${visibleText(reason)}`)),
    ...(hasMore ? [style.dim(`  and ${rowsOf(counts.rows_rejected - problems.length)} more`)] : []),
    ...(rejectedFile ? [`The rejected rows are in ${visibleText(rejectedFile)}.`] : []),
    ...(isDryRun ? ['Nothing was written.'] : []),
  ].join('\n')
}

function rowsOf(count: number): string {
  return `${counted(count)} ${count === 1 ? 'row' : 'rows'}`
}

function counted(count: number): string {
  return count.toLocaleString('en')
}
