import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure, get, post, query } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { FailureText } from '../ui/error-state.tsx'
import { count, counted } from '../ui/format.ts'
import { Option, Select } from '../ui/select.tsx'
import { toast } from '../ui/toast.ts'
import { fromOf } from './delivery-filters.tsx'
import { PERIODS, type Period } from './periods.ts'

const PACES = [
  { id: 'free', text: 'As fast as they can be sent', perMinute: null },
  { id: 'brisk', text: '600 a minute', perMinute: 600 },
  { id: 'calm', text: '60 a minute', perMinute: 60 },
  { id: 'slow', text: '10 a minute', perMinute: 10 },
] as const

/** **Send all failed again…**: since when and how fast; the button says how many. */
export function SendAgainDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const client = useQueryClient()
  const [period, setPeriod] = useState<Period>('day')
  const [pace, setPace] = useState<string>('free')
  const [since, setSince] = useState(() => fromOf('day')!)
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const failed = useQuery({
    queryKey: ['deliveries', 'failed', webhookId, since],
    queryFn: ({ signal }) => get<{ count: number }>(`/webhooks/${webhookId}/failed${query({ since })}`, { signal }),
  })
  const number = failed.data?.count
  const send = async () => {
    setPending(true)
    setFailure(undefined)
    try {
      const per_minute = PACES.find(({ id }) => id === pace)!.perMinute
      const { queued } = await post<{ queued: number }>(`/webhooks/${webhookId}/send-failed-again`, {
        since,
        per_minute,
      })
      await client.invalidateQueries({ queryKey: ['webhooks'] })
      toast({ text: `${counted(queued, 'delivery', 'deliveries')} will be sent again.` })
      onClose()
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      setFailure(err)
      setPending(false)
    }
  }
  return (
    <Dialog title="Send all failed again" isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <Select
        label="Failed since"
        value={period}
        onChange={(key) => {
          setPeriod(key as Period)
          setSince(fromOf(key as Period)!)
        }}
      >
        {Object.entries(PERIODS).map(([id, { text }]) => (
          <Option key={id} id={id}>
            {text}
          </Option>
        ))}
      </Select>
      <Select label="How fast" value={pace} onChange={(key) => setPace(String(key))}>
        {PACES.map(({ id, text }) => (
          <Option key={id} id={id}>
            {text}
          </Option>
        ))}
      </Select>
      <p role="status">{sentence(number)}</p>
      {failed.error || failure ? (
        <FailureText failure={failed.error ?? failure} title="The deliveries were not sent again." />
      ) : null}
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="primary" isDisabled={!number} isPending={isPending} onPress={() => void send()}>
          {number ? `Send ${count(number)} again` : 'Send again'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function sentence(failed: number | undefined): string {
  if (failed === undefined) return 'Counting…'
  if (failed === 0) return 'No delivery has failed since then.'
  const what = failed === 1 ? 'One failed delivery' : `${count(failed)} failed deliveries`
  return `${what} will be sent again, the oldest first, each under its own id.`
}
