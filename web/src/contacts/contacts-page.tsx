import './contacts-page.css'
import type { Contact } from '@server/contacts/schema.ts'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { query } from '../api/client.ts'
import { startCreating } from '../app/creating.ts'
import { useSession } from '../app/session.ts'
import { contactPageQuery } from '../contact/contact-query.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { count as countText } from '../ui/format.ts'
import { LinkButton } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useColumnLayout } from './column-layouts.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { ContactCards } from './contact-cards.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FilterBar } from './filter-bar.tsx'
import { choicesWith } from './grid/choices.ts'
import { shownColumns } from './grid/columns.ts'
import { ContactsGrid } from './grid/contacts-grid.tsx'
import { Edits } from './grid/edits.ts'
import { pagesBetween } from './grid/pages.ts'
import type { Paste } from './grid/paste.ts'
import { isNothing, NOTHING, type Selection } from './grid/selection.ts'
import { useRowWindow } from './grid/use-row-window.ts'
import { useRows, useShownList } from './grid/use-rows.ts'
import { lastOpened, rememberList } from './list-context.ts'
import { knownContacts, pageQuery } from './list-pages.ts'
import { type ContactList, type ContactsSearch, filterInWords, isFiltered, listOf, viewOf } from './list-query.ts'
import { useIsOnline, useIsPhone, useRowPx } from './use-browser.ts'
import { useCellLook } from './use-cell-look.ts'
import { useSaveContact } from './use-save-contact.ts'
import { useViews } from './use-views.ts'
import { ViewsBar } from './views-bar.tsx'

const loadSelectionBar = () => import('./selection-bar.tsx')
const SelectionBar = lazy(() => loadSelectionBar().then((module) => ({ default: module.SelectionBar })))
const PasteDialog = lazy(() => import('./paste-dialog.tsx').then((module) => ({ default: module.PasteDialog })))

const route = getRouteApi('/shell/contacts')

const CARD_PX = 72

/** A selection of this many rows between two of them is asked for, page by page; more is for "all that match". */
const RANGE_PAGES_MAX = 50

/** The list of contacts. Its address holds what it shows. */
export function ContactsPage() {
  const search = route.useSearch()
  const views = useViews()
  const list = useMemo(() => listOf(search, views), [search, views])
  const view = viewOf(search, views)
  const [layout, setLayout] = useColumnLayout(view)
  const isPhone = useIsPhone()
  const isOnline = useIsOnline()
  const navigate = useNavigate()
  const [paste, setPaste] = useState<Paste>()
  useEffect(loadBarWhenIdle, [])
  const [edits] = useState(() => new Edits())
  const look = useCellLook()
  const [element, setElement] = useState<HTMLDivElement | null>(null)

  const shownList = useShownList(list)
  const rowPx = useRowPx()
  const size = isPhone ? { rowPx: CARD_PX, headPx: 0 } : { rowPx, headPx: rowPx }
  const windowed = useRowWindow(element, { rows: shownList.shown, ...size })
  const rows = useRows(shownList, windowed.inView, edits)
  const [selection, setSelection] = useSelection(list)
  const startRow = useReturn(rows.list, rows.shown, windowed.scrollTo, size.rowPx)
  const save = useSaveContact(edits)
  const opening = useOpening(rows.list, search)
  const idsBetween = useIdsBetween(rows.list)

  const change = useCallback(
    (next: Partial<ContactsSearch>) =>
      void navigate({ to: '/contacts', search: (before) => ({ ...before, ...next }), replace: true }),
    [navigate],
  )

  const { stages, labels } = useChoices(rows.list)
  const isEmpty = rows.count === 0 && !rows.isStale
  const shared = { rows, view: windowed, onElement: setElement, selection, onSelection: setSelection, look, startRow }
  const columns = shownColumns(layout).map(({ id }) => id)
  return (
    <div className="page-fill contacts-page">
      <PageHeader
        title="Contacts"
        count={rows.count === null ? undefined : <span data-count="">{countText(rows.count)}</span>}
        apiCall={{ method: 'GET', path: apiPath(list) }}
        actions={
          <>
            {isPhone ? null : <ColumnsMenu layout={layout} onLayout={setLayout} />}
            {isPhone ? null : <ExportMenu filter={list.filter} columns={columns} />}
            <Button variant="primary" icon={<IconPlus />} onPress={() => startCreating({ record: 'contact' })}>
              New contact
            </Button>
          </>
        }
      />
      <ViewsBar search={search} views={views} list={list} columns={columns} />
      <FilterBar search={search} list={list} onChange={change} stages={stages} labels={labels} isPhone={isPhone} />
      {rows.failure && rows.shown === 0 ? (
        <ErrorState title="The contacts could not be loaded." failure={rows.failure} onRetry={rows.retry} />
      ) : isEmpty ? (
        <Nothing list={list} onAdd={() => startCreating({ record: 'contact' })} />
      ) : isPhone ? (
        <ContactCards {...shared} onOpen={opening.open} onPreview={opening.preview} />
      ) : (
        <ContactsGrid
          {...shared}
          element={element}
          edits={edits}
          layout={layout}
          onLayout={setLayout}
          sort={list.sort}
          onSort={(sort) => change({ sort })}
          idsBetween={idsBetween}
          onOpen={opening.open}
          onPreview={opening.preview}
          onSave={save}
          onPaste={setPaste}
          stages={stages}
          labels={labels}
          isReadOnly={!isOnline}
        />
      )}
      <Suspense>
        {isNothing(selection, rows.count) ? null : (
          <SelectionBar
            selection={selection}
            list={rows.list}
            count={rows.count}
            columns={columns}
            stages={stages}
            labels={labels}
            isDisabled={!isOnline}
            onClear={() => setSelection(NOTHING)}
          />
        )}
        {paste ? <PasteDialog paste={paste} onSave={save} onClose={() => setPaste(undefined)} /> : null}
      </Suspense>
    </div>
  )
}

/** It has to be there when the first row is selected. */
function loadBarWhenIdle(): () => void {
  const timer = setTimeout(() => void loadSelectionBar().catch(() => {}), 1_000)
  return () => clearTimeout(timer)
}

function Nothing({ list, onAdd }: { list: ContactList; onAdd: () => void }) {
  if (isFiltered(list)) {
    return (
      <EmptyState
        title={`No contact matches ${filterInWords(list.filter)}.`}
        actions={
          <LinkButton to="/contacts" search={{}}>
            Clear filters
          </LinkButton>
        }
      />
    )
  }
  return (
    <EmptyState
      title="No contacts yet."
      actions={
        <>
          <LinkButton to="/imports" variant="primary">
            Import a CSV
          </LinkButton>
          <Button onPress={onAdd}>Add a contact</Button>
          <LinkButton to="/prospecting">Find businesses on the map</LinkButton>
        </>
      }
    >
      A contact is a person or a company. With a stage it is a deal.
    </EmptyState>
  )
}

/** Another filter is another selection; another order is not. */
function useSelection({ filter }: ContactList): [Selection, (selection: Selection) => void] {
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const key = JSON.stringify(filter)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the key that says that the filter is another one.
  useEffect(() => setSelection(NOTHING), [key])
  return [selection, setSelection]
}

/** Back where one was when one comes back from a contact. @returns the row that has the Tab stop at first */
function useReturn(list: ContactList, shown: number, scrollTo: (offset: number) => void, rowPx: number): number {
  const [start] = useState(() => ({ list, row: lastOpened(list)?.row ?? 0, isDone: false }))
  useEffect(() => {
    if (start.isDone || shown === 0) return
    start.isDone = true
    const rowsAbove = 5
    if (start.row > rowsAbove && start.list === list) scrollTo((start.row - rowsAbove) * rowPx)
  })
  const current = useRef(list)
  useEffect(() => {
    if (current.current !== list) scrollTo(0)
    current.current = list
  }, [list, scrollTo])
  return start.row
}

function useOpening(list: ContactList, search: ContactsSearch) {
  const client = useQueryClient()
  const router = useRouter()
  const navigate = useNavigate()
  const preview = useCallback(
    ({ id }: Contact) => {
      void router.preloadRoute({ to: '/contacts/$id', params: { id } }).catch(() => {})
      void client.prefetchQuery(contactPageQuery(id))
    },
    [client, router],
  )
  const open = useCallback(
    (contact: Contact, row: number, inNewTab: boolean) => {
      const { id } = contact
      if (inNewTab) return void window.open(`/contacts/${id}`, '_blank', 'noopener')
      // What the row has is shown at once, and asked for again behind.
      client.setQueryData(['contact', id], (known: Contact | undefined) => known ?? contact, { updatedAt: 0 })
      rememberList({ list, search, row, id })
      void navigate({ to: '/contacts/$id', params: { id } })
    },
    [client, list, navigate, search],
  )
  return { open, preview }
}

function useIdsBetween(list: ContactList) {
  const client = useQueryClient()
  return useCallback(
    async (from: number, to: number) => {
      const pages = pagesBetween(from, to).slice(0, RANGE_PAGES_MAX)
      const ids: string[] = []
      for (const page of pages) {
        const { data, meta } = await client.fetchQuery({ ...pageQuery(list, page), staleTime: 30_000 })
        const [low, high] = [Math.min(from, to) - meta.offset, Math.max(from, to) - meta.offset]
        ids.push(...data.slice(Math.max(low, 0), high + 1).map(({ id }) => id))
      }
      return ids
    },
    [client, list],
  )
}

/** Those of the org, and others that contacts in view have. */
function useChoices(list: ContactList): { stages: string[]; labels: string[] } {
  const client = useQueryClient()
  const { stages, labels } = useSession()
  return useMemo(() => {
    const known = [...knownContacts(client).values()]
    const named = (choices: readonly { name: string }[]) => choices.map(({ name }) => name)
    return {
      stages: choicesWith(named(stages), [...(list.filter.stages ?? []), ...known.map((one) => one.deal_stage)]),
      labels: choicesWith(named(labels), [...(list.filter.labels ?? []), ...known.map((one) => one.label)]),
    }
  }, [client, stages, labels, list])
}

/** The API's list has one stage and one label, and is sorted newest first. */
function apiPath({ filter }: ContactList): string {
  const only = (choices: (string | null)[] | undefined) => (choices?.length === 1 ? choices[0] : undefined)
  return `/contacts${query({ limit: 50, q: filter.q, stage: only(filter.stages), label: only(filter.labels) })}`
}
