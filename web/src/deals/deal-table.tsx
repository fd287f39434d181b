import type { ContactFilter } from '@server/contacts/filter-schema.ts'
import type { Contact } from '@server/contacts/schema.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { get, query } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { StageChip } from '../ui/chip.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { count as countText } from '../ui/format.ts'
import { Link } from '../ui/link.tsx'
import { Money } from '../ui/money.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { type BoardFilter, dealName } from './board-state.ts'
import { LabelChip } from './label-chip.tsx'

const PAGE = 100

/** The deals as a table, the most valuable first. */
export function DealTable({ filter, count }: { filter: BoardFilter; count: number }) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['deals', 'table', filter],
    queryFn: ({ pageParam, signal }) => dealPage(filter, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
  })
  if (error && !data) {
    return <ErrorState title="The deals could not be loaded." failure={error} onRetry={() => void refetch()} />
  }
  if (!data) return <SkeletonRows rows={10} label="Loading deals" onRetry={() => void refetch()} />
  const deals = data.pages.flat()
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled to the side takes the focus. */}
      <section className="deals-table-frame" aria-label="Deals, the most valuable first" tabIndex={0}>
        <table className="deals-table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Company</th>
              <th scope="col">Stage</th>
              <th scope="col" className="deals-table-value">
                Value
              </th>
              <th scope="col">Label</th>
              <th scope="col">Updated</th>
            </tr>
          </thead>
          <tbody>
            {deals.map((deal) => (
              <tr key={deal.id}>
                <td>
                  <Link to="/contacts/$id" params={{ id: deal.id }} isPlain>
                    {dealName(deal)}
                  </Link>
                </td>
                <td>{deal.company}</td>
                <td>{deal.deal_stage === null ? null : <StageChip stage={deal.deal_stage} />}</td>
                <td className="deals-table-value">
                  <Money value={deal.deal_value} />
                </td>
                <td>{deal.label === null ? null : <LabelChip label={deal.label} />}</td>
                <td>
                  <RelativeTime iso={deal.updated_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="deals-more">
        {countText(deals.length)} of {countText(count)}
        {hasNextPage ? (
          <Button isSmall isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            Show {PAGE} more
          </Button>
        ) : null}
      </p>
    </div>
  )
}

async function dealPage({ q, label }: BoardFilter, offset: number, signal: AbortSignal): Promise<Contact[]> {
  const filter: ContactFilter = { has_stage: true, ...(q && { q }), ...(label && { labels: [label] }) }
  const path = `/contacts/grid${query({ filter, sort: '-value', limit: PAGE, offset, count: false })}`
  return (await get<{ data: Contact[] }>(path, { signal })).data
}
