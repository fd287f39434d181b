import type { ListedSession } from '@server/sessions/schema.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { get, post, remove } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { type DataColumn, DataTable } from '../ui/data-table.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { FormActions } from '../ui/form.tsx'
import { counted } from '../ui/format.ts'
import { RelativeTime } from '../ui/relative-time.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { browserName } from './browser-name.ts'

export function SessionList() {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => get<{ data: ListedSession[] }>('/sessions', { signal }),
    staleTime: 0,
  })
  if (error && !data) return <ErrorState title="Your sessions could not be loaded." failure={error} onRetry={refetch} />
  if (!data) return <SkeletonRows rows={2} label="Loading sessions" onRetry={refetch} />
  const others = data.data.filter(({ is_current }) => !is_current)
  const end = async (id: string) => {
    try {
      await remove(`/sessions/${id}`)
      toast({ text: 'Session ended.' })
    } catch {
      toast({ text: 'The session could not be ended. Try again.', tone: 'danger' })
    }
    await client.invalidateQueries({ queryKey: ['sessions'] })
  }
  return (
    <>
      <DataTable label="Sessions" columns={columns((id) => void end(id))} rows={data.data} />
      <FormActions>
        <Button isDisabled={others.length === 0} onPress={() => setAsking(true)}>
          Sign out everywhere else
        </Button>
      </FormActions>
      <ConfirmDialog
        title="Sign out everywhere else?"
        confirm="Sign out"
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={async () => {
          const { ended } = await post<{ ended: number }>('/sessions/end-others')
          await client.invalidateQueries({ queryKey: ['sessions'] })
          toast({ text: `${counted(ended, 'session')} ended.` })
        }}
      >
        This ends {counted(others.length, 'session')} at once. This browser stays signed in.
      </ConfirmDialog>
    </>
  )
}

const columns = (onEnd: (id: string) => void): DataColumn<ListedSession>[] => [
  {
    id: 'browser',
    name: 'Browser',
    cell: ({ user_agent, is_current }) => (
      <>
        {browserName(user_agent)} {is_current ? <Chip tone="ok">This one</Chip> : null}
      </>
    ),
  },
  { id: 'begun', name: 'Signed in', cell: ({ created_at }) => <RelativeTime iso={created_at} /> },
  { id: 'used', name: 'Last used', cell: ({ last_used_at }) => <RelativeTime iso={last_used_at} /> },
  {
    id: 'actions',
    name: 'Actions',
    isNameHidden: true,
    align: 'end',
    cell: ({ id, user_agent, is_current }) =>
      is_current ? null : (
        <Button isSmall aria-label={`End the session in ${browserName(user_agent)}`} onPress={() => onEnd(id)}>
          End
        </Button>
      ),
  },
]
