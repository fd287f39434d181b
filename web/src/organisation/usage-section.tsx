import type { UsageReport } from '@server/rate-limit/usage-schema.ts'
import { useQuery } from '@tanstack/react-query'
import { get } from '../api/client.ts'
import { AreaChart } from '../ui/chart.tsx'
import { type DataColumn, DataTable } from '../ui/data-table.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { clockTime, count } from '../ui/format.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'

const REFRESH_MS = 30_000

/** "Pro: 5,000 requests an hour", how much of it is used, when, and by which key. */
export function UsageSection({ plan, hourlyLimit }: { plan: 'pro' | 'enterprise'; hourlyLimit: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['org', 'usage'],
    queryFn: ({ signal }) => get<UsageReport>('/org/usage', { signal }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <section className="card usage" aria-labelledby="usage-heading">
      <h2 id="usage-heading">Plan and usage</h2>
      <p>
        {plan === 'pro' ? 'Pro' : 'Enterprise'}: {count(hourlyLimit)} requests an hour
      </p>
      {error && !data ? (
        <ErrorState title="The usage could not be loaded." failure={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Usage report={data} />
      ) : (
        <SkeletonRows rows={4} label="Loading usage" />
      )}
    </section>
  )
}

function Usage({ report: { limit, used_last_hour, points, tokens } }: { report: UsageReport }) {
  return (
    <>
      <p className="usage-number tabular">
        {count(used_last_hour)} of {count(limit)} used in the last hour
      </p>
      <AreaChart
        title="Requests in the hour before, over the last 24 hours"
        unit="requests"
        points={points.map(({ at, used, refused }) => ({ label: clockTime(at), value: used, marked: refused }))}
        limit={{ value: limit, text: `Limit ${count(limit)}` }}
      />
      <DataTable
        label="By key, in the last 24 hours"
        columns={COLUMNS}
        rows={tokens}
        empty="No program has used the API in the last 24 hours."
      />
    </>
  )
}

const COLUMNS: DataColumn<UsageReport['tokens'][number]>[] = [
  { id: 'name', name: 'Key', cell: ({ name }) => name },
  { id: 'prefix', name: 'Begins with', cell: ({ prefix }) => <code>{prefix}…</code> },
  { id: 'allowed', name: 'Requests in 24 h', align: 'end', cell: ({ allowed }) => count(allowed) },
  { id: 'refused', name: 'Refused', align: 'end', cell: ({ refused }) => count(refused) },
]
