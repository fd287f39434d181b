import './delivery-log.css'
import type { LoggedDelivery } from '@server/webhooks/ui-schema.ts'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, memo, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { get, query } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { duration } from '../ui/format.ts'
import { RelativeTime } from '../ui/relative-time.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { DeliveryFilters, type Filters, fromOf, NO_FILTERS } from './delivery-filters.tsx'
import { DeliveryPanel } from './delivery-panel.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { outcomeText } from './delivery-words.ts'

export interface DeliveryLogProps {
  /** The log of one webhook. */
  subscriptionId?: string | undefined
  /** What was sent about one contact, by whichever webhook. */
  contactId?: string | undefined
  /** What can be done while there is none: **Send test**. */
  emptyActions?: ReactNode
}

const PAGE = 50

/** What was sent and how it ended, newest first; it arrives live. A line opens the panel beside it. */
export function DeliveryLog({ subscriptionId, contactId, emptyActions }: DeliveryLogProps) {
  const [filters, setFilters] = useState<Filters>(NO_FILTERS)
  const [openId, setOpenId] = useState<string>()
  const path = contactId === undefined ? `/webhooks/${subscriptionId}/deliveries` : `/contacts/${contactId}/deliveries`
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = useInfiniteQuery({
    queryKey: ['deliveries', path, filters],
    queryFn: async ({ pageParam, signal }) => {
      const { status, event, contact, period } = filters
      const asked = { status, event, contact_id: contact?.id, from: fromOf(period), before: pageParam, limit: PAGE }
      return (await get<{ data: LoggedDelivery[] }>(`${path}${query(asked)}`, { signal })).data
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length === PAGE ? page.at(-1)!.id : undefined),
    placeholderData: keepPreviousData,
  })
  const deliveries = data?.pages.flat() ?? []
  const isFiltered = filters !== NO_FILTERS
  if (error && !data) {
    return <ErrorState title="The deliveries could not be loaded." failure={error} onRetry={() => void refetch()} />
  }
  if (!data) return <SkeletonRows label="Loading deliveries" onRetry={() => void refetch()} />
  if (deliveries.length === 0 && !isFiltered) {
    return <EmptyState title="No deliveries yet." actions={emptyActions} />
  }
  return (
    <div className="delivery-log">
      <DeliveryFilters filters={filters} onChange={setFilters} hasContact={contactId === undefined} />
      {deliveries.length === 0 ? (
        <EmptyState
          title="No delivery matches."
          actions={<Button onPress={() => setFilters(NO_FILTERS)}>Clear filters</Button>}
        />
      ) : (
        <div className={openId ? 'delivery-split delivery-split-open' : 'delivery-split'}>
          <div className="delivery-list-frame" data-stale={isPlaceholderData ? '' : undefined}>
            <DeliveryList
              deliveries={deliveries}
              openId={openId}
              onOpen={setOpenId}
              hasUrl={subscriptionId === undefined}
              hasContact={contactId === undefined}
            />
            {hasNextPage ? (
              <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
                Show older
              </Button>
            ) : null}
          </div>
          {openId ? <DeliveryPanel id={openId} onClose={() => setOpenId(undefined)} /> : null}
        </div>
      )}
      <p className="secondary small">
        Failed deliveries are not sent again by themselves.
        {contactId === undefined ? null : ' Kept for 30 days. Deleting the contact deletes them.'}
      </p>
    </div>
  )
}

interface DeliveryListProps {
  deliveries: LoggedDelivery[]
  openId: string | undefined
  onOpen: (id: string | undefined) => void
  hasUrl: boolean
  hasContact: boolean
}

/** One Tab stop. ↑ and ↓ move, Enter opens; with the panel open it follows. */
function DeliveryList({ deliveries, openId, onOpen, hasUrl, hasContact }: DeliveryListProps) {
  const [activeId, setActiveId] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    deliveries.findIndex(({ id }) => id === (activeId ?? openId)),
  )
  const active = deliveries[at]!
  const open = useCallback(
    (id: string) => {
      setActiveId(id)
      onOpen(id)
    },
    [onOpen],
  )
  useEffect(() => {
    if (activeId) document.getElementById(rowId(activeId))?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  // Closing the panel leaves the focus where ↑ and ↓ go on.
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !openId) list.current?.focus({ preventScroll: true })
    wasOpen.current = openId !== undefined
  }, [openId])
  const onKeyDown = (event: KeyboardEvent) => {
    const to = targetOf(event.key, at, deliveries.length)
    if (to !== undefined) {
      const { id } = deliveries[to]!
      setActiveId(id)
      if (openId) onOpen(id)
    } else if (event.key === 'Enter' || event.key === ' ') open(active.id)
    else if (event.key === 'Escape' && openId) onOpen(undefined)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={list}
      className="delivery-list"
      role="listbox"
      tabIndex={0}
      aria-label="Deliveries"
      aria-activedescendant={rowId(active.id)}
      onKeyDown={onKeyDown}
    >
      {deliveries.map((delivery) => (
        <DeliveryRow
          key={delivery.id}
          delivery={delivery}
          isOpen={delivery.id === openId}
          isActive={delivery.id === active.id}
          hasUrl={hasUrl}
          hasContact={hasContact}
          onOpen={open}
        />
      ))}
    </div>
  )
}

function rowId(id: string): string {
  return `delivery-${id}`
}

function targetOf(key: string, at: number, length: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(length - 1, at + 1)
  if (key === 'ArrowUp') return Math.max(0, at - 1)
  if (key === 'Home') return 0
  if (key === 'End') return length - 1
  return undefined
}

interface DeliveryRowProps {
  delivery: LoggedDelivery
  isOpen: boolean
  isActive: boolean
  hasUrl: boolean
  hasContact: boolean
  onOpen: (id: string) => void
}

const DeliveryRow = memo(function DeliveryRow(props: DeliveryRowProps) {
  const { delivery, isOpen, isActive, hasUrl, hasContact, onOpen } = props
  const { id, event, contact, is_test, created_at, duration_ms, status, subscription_url } = delivery
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and says which row is meant.
    <div
      id={rowId(id)}
      className="delivery-row"
      role="option"
      aria-selected={isOpen}
      data-active={isActive ? '' : undefined}
      onClick={() => onOpen(id)}
    >
      <DeliveryStatus delivery={delivery} />
      <span className="delivery-event">
        <code>{event}</code>
        {is_test ? <Chip>Test</Chip> : null}
      </span>
      <span className="delivery-detail">
        <span>{outcomeText(delivery)}</span>
        <span>{hasUrl ? subscription_url : hasContact ? (contact?.name ?? '') : ''}</span>
      </span>
      <span className="delivery-time secondary">
        <RelativeTime iso={created_at} />
        {status !== 'pending' && duration_ms !== null ? `, ${duration(duration_ms)}` : null}
      </span>
    </div>
  )
})
