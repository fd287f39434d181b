import { EVENT_NAMES, type EventName } from '@server/events/names.ts'
import { IconSend } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { ApiFailure, post } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { toast } from '../ui/toast.ts'

/** **Send test**: a sample of one event, marked as a test. */
export function SendTestMenu({ webhookId, isDisabled }: { webhookId: string; isDisabled?: boolean | undefined }) {
  const client = useQueryClient()
  const send = async (event: EventName) => {
    try {
      await post(`/webhooks/${webhookId}/test`, { event })
      toast({ text: `Test of ${event} sent.` })
      await client.invalidateQueries({ queryKey: ['deliveries'] })
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      toast({ tone: 'danger', text: failureWords(err, 'The test was not sent.') })
    }
  }
  return (
    <Menu
      trigger={
        <Button icon={<IconSend />} isDisabled={isDisabled ?? false}>
          Send test
        </Button>
      }
    >
      {EVENT_NAMES.map((name) => (
        <MenuItem key={name} onAction={() => void send(name)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  )
}
