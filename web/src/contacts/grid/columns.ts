/** The columns of the contacts grid, and how one person has arranged them. */
import type { Contact } from '@server/contacts/schema.ts'

export type ColumnId = Exclude<keyof Contact, 'id'>

/** How a column is edited; `none` are set by the server. */
export type Editor = 'text' | 'number' | 'choice' | 'tags' | 'none'

export interface Column {
  id: ColumnId
  title: string
  editor: Editor
  widthPx: number
  /** The key of the server's sort, where it has one. */
  sort?: SortKey
  /** Numbers stand at the end, so that their digits are in line. */
  isNumber?: boolean
}

export type SortKey = 'name' | 'company' | 'value' | 'created' | 'updated'

/** A sort of the list: a key, and `-` before it for descending. */
export type Sort = SortKey | `-${SortKey}`

export const COLUMNS: readonly Column[] = [
  { id: 'full_name', title: 'Name', editor: 'text', widthPx: 200, sort: 'name' },
  { id: 'company', title: 'Company', editor: 'text', widthPx: 180, sort: 'company' },
  { id: 'email', title: 'Email', editor: 'text', widthPx: 210 },
  { id: 'phone', title: 'Phone', editor: 'text', widthPx: 164 },
  { id: 'location', title: 'Location', editor: 'text', widthPx: 140 },
  { id: 'deal_stage', title: 'Stage', editor: 'choice', widthPx: 124 },
  { id: 'deal_value', title: 'Value', editor: 'number', widthPx: 120, sort: 'value', isNumber: true },
  { id: 'label', title: 'Label', editor: 'choice', widthPx: 120 },
  { id: 'tags', title: 'Tags', editor: 'tags', widthPx: 200 },
  { id: 'created_at', title: 'Created', editor: 'none', widthPx: 130, sort: 'created' },
  { id: 'updated_at', title: 'Updated', editor: 'none', widthPx: 130, sort: 'updated' },
]

/** The column that stays in view: it says whose row it is, so it is neither moved nor hidden. */
export const FIXED: ColumnId = 'full_name'

export const WIDTH_PX_MIN = 72
export const WIDTH_PX_MAX = 640

export function columnOf(id: ColumnId): Column {
  return COLUMNS.find((column) => column.id === id)!
}

/** All columns in their order, those that are hidden, and the widths that were changed. */
export interface Layout {
  order: readonly ColumnId[]
  hidden: readonly ColumnId[]
  widthsPx: Readonly<Partial<Record<ColumnId, number>>>
}

export const USUAL_LAYOUT: Layout = { order: COLUMNS.map(({ id }) => id), hidden: [], widthsPx: {} }

export function shownColumns({ order, hidden }: Layout): Column[] {
  return order.filter((id) => !hidden.includes(id)).map(columnOf)
}

export function widthOf(layout: Layout, id: ColumnId): number {
  return layout.widthsPx[id] ?? columnOf(id).widthPx
}

export function resized(layout: Layout, id: ColumnId, widthPx: number): Layout {
  const within = Math.round(Math.min(Math.max(widthPx, WIDTH_PX_MIN), WIDTH_PX_MAX))
  return { ...layout, widthsPx: { ...layout.widthsPx, [id]: within } }
}

export function withHidden(layout: Layout, id: ColumnId, isHidden: boolean): Layout {
  if (id === FIXED) return layout
  const others = layout.hidden.filter((hidden) => hidden !== id)
  return { ...layout, hidden: isHidden ? [...others, id] : others }
}

/** Only these columns shown, in this order; the rest keep their places behind them. */
export function showingOnly(layout: Layout, ids: readonly string[]): Layout {
  const shown = layout.order
    .filter((id) => id !== FIXED && ids.includes(id))
    .sort((a, b) => ids.indexOf(a) - ids.indexOf(b))
  const hidden = layout.order.filter((id) => id !== FIXED && !ids.includes(id))
  return { ...layout, order: [FIXED, ...shown, ...hidden], hidden }
}

/** Past the next column that is shown; a column at the end stays. */
export function movedBy(layout: Layout, id: ColumnId, step: 1 | -1): Layout {
  const shown = shownColumns(layout).map((column) => column.id)
  const other = shown[shown.indexOf(id) + step]
  return other === undefined ? layout : movedTo(layout, id, other)
}

/** To the place of another column, which makes room. */
export function movedTo(layout: Layout, id: ColumnId, place: ColumnId): Layout {
  if (id === FIXED || place === FIXED || id === place) return layout
  const isForward = layout.order.indexOf(id) < layout.order.indexOf(place)
  const order = layout.order.filter((other) => other !== id)
  order.splice(order.indexOf(place) + (isForward ? 1 : 0), 0, id)
  return { ...layout, order }
}

/** What was kept in the browser, as far as it still makes sense: new columns come last, unknown ones go. */
export function layoutFrom(kept: unknown): Layout {
  if (typeof kept !== 'object' || kept === null) return USUAL_LAYOUT
  const { order, hidden, widthsPx } = kept as Record<string, unknown>
  const known = (ids: unknown) => [...new Set(Array.isArray(ids) ? ids : [])].filter(isColumnId)
  const ordered = known(order).filter((id) => id !== FIXED)
  const added = USUAL_LAYOUT.order.filter((id) => id !== FIXED && !ordered.includes(id))
  const widths = Object.entries(typeof widthsPx === 'object' && widthsPx !== null ? widthsPx : {})
  return {
    order: [FIXED, ...ordered, ...added],
    hidden: known(hidden).filter((id) => id !== FIXED),
    widthsPx: Object.fromEntries(
      widths.filter(([id, px]) => isColumnId(id) && px >= WIDTH_PX_MIN && px <= WIDTH_PX_MAX),
    ),
  }
}

function isColumnId(id: unknown): id is ColumnId {
  return COLUMNS.some((column) => column.id === id)
}
