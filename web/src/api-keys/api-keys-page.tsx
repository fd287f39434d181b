import type { ApiKey } from '@server/tokens/schema.ts'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { get, post } from '../api/client.ts'
import { useIsAdmin } from '../app/session.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { type DataColumn, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { AdminsOnly } from './admins-only.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'

export function ApiKeysPage() {
  const isAdmin = useIsAdmin()
  const [isCreating, setCreating] = useState(false)
  const create = (
    <Button variant="primary" icon={<IconPlus />} onPress={() => setCreating(true)}>
      Create key
    </Button>
  )
  return (
    <>
      <PageHeader title="API keys" section="Settings" actions={isAdmin ? create : null} />
      {isAdmin ? (
        <KeyTable onCreate={() => setCreating(true)} />
      ) : (
        <AdminsOnly>Only an admin can manage API keys.</AdminsOnly>
      )}
      {isCreating ? <CreateKeyDialog onClose={() => setCreating(false)} /> : null}
    </>
  )
}

function KeyTable({ onCreate }: { onCreate: () => void }) {
  const [revoking, setRevoking] = useState<ApiKey>()
  const { data, error, refetch } = useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => get<{ data: ApiKey[] }>('/tokens', { signal }),
  })
  if (error && !data) return <ErrorState title="The keys could not be loaded." failure={error} onRetry={refetch} />
  if (!data) return <SkeletonRows label="Loading keys" onRetry={refetch} />
  if (data.data.length === 0) {
    return (
      <EmptyState
        icon={<IconKey aria-hidden="true" />}
        title="No keys yet. A key lets a program use the API."
        actions={<Button onPress={onCreate}>Create key</Button>}
      />
    )
  }
  return (
    <>
      <DataTable
        label="API keys"
        columns={columns(setRevoking)}
        rows={data.data}
        isMuted={({ revoked_at }) => revoked_at !== null}
      />
      {revoking ? <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} /> : null}
    </>
  )
}

const columns = (onRevoke: (key: ApiKey) => void): DataColumn<ApiKey>[] => [
  { id: 'name', name: 'Name', cell: ({ name }) => name },
  { id: 'prefix', name: 'Key', cell: ({ prefix }) => <code>{prefix}…</code> },
  { id: 'scopes', name: 'Rights', cell: ({ scopes }) => rightsText(scopes) },
  {
    id: 'created',
    name: 'Created',
    cell: ({ created_by, created_at }) => (
      <>
        {created_by}, <RelativeTime iso={created_at} />
      </>
    ),
  },
  {
    id: 'used',
    name: 'Last used',
    cell: ({ last_used_at }) => (last_used_at ? <RelativeTime iso={last_used_at} /> : 'Never'),
  },
  {
    id: 'state',
    name: 'State',
    cell: ({ revoked_at, revoked_by }) =>
      revoked_at ? (
        <>
          Revoked by {revoked_by ?? 'somebody'}, <RelativeTime iso={revoked_at} />
        </>
      ) : (
        <Chip tone="ok">Active</Chip>
      ),
  },
  {
    id: 'actions',
    name: 'Actions',
    isNameHidden: true,
    align: 'end',
    cell: (key) =>
      key.revoked_at ? null : (
        <Button isSmall variant="danger" aria-label={`Revoke ${key.name}`} onPress={() => onRevoke(key)}>
          Revoke
        </Button>
      ),
  },
]

export function rightsText(scopes: readonly string[]): string {
  if (!scopes.includes('write')) return 'Read'
  return scopes.includes('read') ? 'Read and write' : 'Write'
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const client = useQueryClient()
  const revoke = async () => {
    await post(`/tokens/${apiKey.id}/revoke`)
    await client.invalidateQueries({ queryKey: ['tokens'] })
    toast({ text: `Key ${apiKey.name} revoked.` })
  }
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      confirm="Revoke key"
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      onConfirm={revoke}
    >
      Programs that use <code>{apiKey.prefix}…</code> stop working at once. This cannot be undone.
    </ConfirmDialog>
  )
}
