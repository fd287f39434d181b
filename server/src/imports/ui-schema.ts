/** What the web app's import wizard sends and is told. */
import { type Static, Type } from 'typebox'
import { nullable } from '../http/fields.ts'
import { DELIMITERS } from '../text/csv-delimiter.ts'
import type { Encoding } from '../text/encoding.ts'

/**
 * What a column can be taken for. `tags` is a list in a cell, `tag` the whole cell as one tag; the parts of a name are
 * joined, as are several columns for `location`.
 */
export const COLUMN_FIELDS = [
  'full_name',
  'first_name',
  'last_name',
  'company',
  'email',
  'phone',
  'location',
  'deal_stage',
  'deal_value',
  'label',
  'tags',
  'tag',
] as const

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const satisfies readonly Encoding[]

export const IMPORT_STATES = [
  'uploading',
  'uploaded',
  'checking',
  'checked',
  'running',
  'stopped',
  'done',
  'failed',
  'undoing',
  'undone',
] as const

const CELL_LENGTH_MAX = 16 * 1024
const COLUMNS_MAX = 100

const choice = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] })

const closed = { additionalProperties: false } as const

const id = Type.String({ format: 'uuid' })
const time = Type.String({ format: 'date-time' })
const count = Type.Integer({ minimum: 0 })

/** Which rows are about contacts that are there already, and what becomes of those. */
export const Match = Type.Object(
  {
    on: choice(['email', 'name']),
    /** `fill` sets what is empty, `update` what the row has; `add` looks for none. */
    known: choice(['skip', 'fill', 'update', 'add']),
  },
  closed,
)
export type Match = Static<typeof Match>

export const ImportCounts = Type.Object(
  { rows_read: count, rows_added: count, rows_updated: count, rows_skipped: count, rows_rejected: count },
  closed,
)

export const ImportSummary = Type.Object(
  {
    id,
    source: choice(['file', 'upload', 'sample', 'places']),
    file_name: Type.String(),
    file_bytes: count,
    state: choice(IMPORT_STATES),
    /** Who began it, by name. */
    created_by: Type.String(),
    started_at: time,
    finished_at: nullable(time),
    counts: ImportCounts,
    /** How far the check, or the import, has read. */
    bytes_read: count,
    can_continue: Type.Boolean(),
    can_undo: Type.Boolean(),
  },
  closed,
)
export type ImportSummary = Static<typeof ImportSummary>

export const ImportColumn = Type.Object(
  {
    name: Type.String(),
    field: nullable(choice(COLUMN_FIELDS)),
    by: nullable(choice(['given', 'name', 'content'])),
    samples: Type.Array(Type.String()),
  },
  closed,
)
export type ImportColumn = Static<typeof ImportColumn>

export const ImportDetail = Type.Object(
  {
    ...ImportSummary.properties,
    encoding: choice(ENCODINGS),
    delimiter: choice(DELIMITERS),
    decimal_mark: choice(['.', ',']),
    /** The amounts of the file do not tell which mark it is. */
    is_mark_a_guess: Type.Boolean(),
    columns: Type.Array(ImportColumn),
    tag: nullable(Type.String()),
    match: Match,
    /** What the check came to; null before. */
    checked: nullable(ImportCounts),
    /** Why it failed. */
    fault: nullable(Type.String()),
    /** When the same file was imported before. */
    imported_before: nullable(time),
    /** What undoing it came to: contacts. */
    undone: nullable(Type.Object({ removed: count, restored: count, kept: count }, closed)),
  },
  closed,
)
export type ImportDetail = Static<typeof ImportDetail>

export const ImportList = Type.Object({ data: Type.Array(ImportSummary) }, closed)

export const UploadQuery = Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) }, closed)
export type UploadQuery = Static<typeof UploadQuery>

export const ImportPatch = Type.Object(
  {
    /** Other ways to read the file, after which the columns are guessed anew. */
    encoding: Type.Optional(choice(ENCODINGS)),
    delimiter: Type.Optional(
      Type.Unsafe<(typeof DELIMITERS)[number]>({ type: 'string', 'x-verbatim': true, maxLength: 1 }),
    ),
    decimal_mark: Type.Optional(choice(['.', ','])),
    /** The field of every column, in their order; null for one that is not imported. */
    fields: Type.Optional(Type.Array(nullable(choice(COLUMN_FIELDS)), { maxItems: COLUMNS_MAX })),
    /** For every contact of the file. */
    tag: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
    match: Type.Optional(Match),
  },
  closed,
)
export type ImportPatch = Static<typeof ImportPatch>

export const ImportRun = Type.Object(
  {
    /** Rows with problems are left out; without it they stop the import from beginning. */
    skip_problems: Type.Boolean(),
  },
  closed,
)
export type ImportRun = Static<typeof ImportRun>

export const ProblemQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    offset: Type.Integer({ minimum: 0, maximum: 1e9, default: 0 }),
  },
  closed,
)
export type ProblemQuery = Static<typeof ProblemQuery>

export const Problem = Type.Object(
  {
    /** As a spreadsheet counts: the header is row 1. */
    row: count,
    /** Which of the cells is at fault; null when it is none alone. */
    cell: nullable(Type.Integer()),
    reason: Type.String(),
    cells: Type.Array(Type.String()),
  },
  closed,
)
export type Problem = Static<typeof Problem>

export const ProblemList = Type.Object(
  { data: Type.Array(Problem), meta: Type.Object({ count, limit: count, offset: count }, closed) },
  closed,
)
export type ProblemList = Static<typeof ProblemList>

export const ProblemFix = Type.Object(
  {
    cells: Type.Array(
      Type.Unsafe<string>({ type: ['string', 'null'], 'x-verbatim': true, maxLength: CELL_LENGTH_MAX }),
      { maxItems: COLUMNS_MAX },
    ),
  },
  closed,
)
export type ProblemFix = Static<typeof ProblemFix>

/** The row as it stands after a correction; without a problem it is gone from the list. */
export const FixResult = Type.Object(
  {
    problem: nullable(Problem),
    checked: ImportCounts,
  },
  closed,
)
export type FixResult = Static<typeof FixResult>

/** A contact that undoing leaves, or leaves some fields of. */
export const KeptContact = Type.Object(
  {
    contact_id: id,
    name: Type.String(),
    /** `edited`: somebody has changed it since; `used`: it has notes, calls or tasks by now. */
    because: choice(['edited', 'used']),
    /** The fields that stay; empty when the whole contact does. */
    fields: Type.Array(Type.String()),
  },
  closed,
)
export type KeptContact = Static<typeof KeptContact>

export const UndoPreview = Type.Object(
  {
    removed: count,
    restored: count,
    /** The first of those that are left. */
    kept: Type.Array(KeptContact),
    kept_count: count,
  },
  closed,
)
export type UndoPreview = Static<typeof UndoPreview>

export const RowParams = Type.Object({ id, row: Type.String({ pattern: '^[0-9]{1,10}$' }) }, closed)
export interface RowParams {
  id: string
  row: string
}
