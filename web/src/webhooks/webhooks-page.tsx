import type { ListedWebhook } from '@server/webhooks/ui-schema.ts'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '../api/client.ts'
import { AdminsOnly } from '../api-keys/admins-only.tsx'
import { useIsAdmin } from '../app/session.ts'
import { Button } from '../ui/button.tsx'
import { type DataColumn, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Link } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { AttemptsChart } from './attempts-chart.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { eventsText } from './event-words.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookState } from './webhook-state.tsx'

export function WebhooksPage() {
  const isAdmin = useIsAdmin()
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button variant="primary" icon={<IconPlus />} onPress={() => setAdding(true)}>
      Add webhook
    </Button>
  )
  return (
    <>
      <PageHeader title="Webhooks" section="Settings" actions={isAdmin ? add : null} />
      {isAdmin ? (
        <WebhookTable onAdd={() => setAdding(true)} />
      ) : (
        <AdminsOnly>Only an admin can manage webhooks.</AdminsOnly>
      )}
      {isAdding ? <WebhookDialog onClose={() => setAdding(false)} /> : null}
    </>
  )
}

function WebhookTable({ onAdd }: { onAdd: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => get<{ data: ListedWebhook[] }>('/webhooks', { signal }),
  })
  if (error && !data) return <ErrorState title="The webhooks could not be loaded." failure={error} onRetry={refetch} />
  if (!data) return <SkeletonRows label="Loading webhooks" onRetry={refetch} />
  if (data.data.length === 0) {
    return (
      <EmptyState
        icon={<IconWebhook aria-hidden="true" />}
        title="No webhooks yet. A webhook tells another program what happens here."
        actions={<Button onPress={onAdd}>Add webhook</Button>}
      />
    )
  }
  return <DataTable label="Webhooks" columns={COLUMNS} rows={data.data} />
}

const COLUMNS: DataColumn<ListedWebhook>[] = [
  {
    id: 'url',
    name: 'URL',
    cell: ({ id, url, note }) => (
      <>
        <Link to="/settings/webhooks/$id" params={{ id }}>
          {url}
        </Link>
        {note ? <div className="secondary small">{note}</div> : null}
      </>
    ),
  },
  {
    id: 'events',
    name: 'Events',
    cell: ({ events }) => <span title={events.join(', ')}>{eventsText(events)}</span>,
  },
  { id: 'state', name: 'State', cell: ({ paused_at }) => <WebhookState pausedAt={paused_at} /> },
  {
    id: 'last',
    name: 'Last delivery',
    cell: ({ last_delivery: last }) =>
      last ? (
        <>
          <DeliveryStatus delivery={last} /> <RelativeTime iso={last.created_at} />
        </>
      ) : (
        'None yet'
      ),
  },
  {
    id: 'hours',
    name: 'Last 24 h',
    cell: ({ hours }) => <AttemptsChart title="Last 24 hours" hours={hours} isSmall />,
  },
]
