import './webhook-dialog.css'
import { EVENT_NAMES, type EventName } from '@server/events/names.ts'
import { type MadeWebhook, type Webhook, WebhookInput } from '@server/webhooks/ui-schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Static } from 'typebox'
import { patch, post } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { CheckboxGroup } from '../ui/checkbox-group.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, FormActions, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import { EVENT_WORDS } from './event-words.ts'
import { SecretDialog } from './secret-dialog.tsx'

type Made = Static<typeof MadeWebhook>

/** Adds a webhook and shows its secret this once, or changes one. */
export function WebhookDialog({ webhook, onClose }: { webhook?: Webhook | undefined; onClose: () => void }) {
  const [made, setMade] = useState<Made>()
  if (made) return <SecretDialog secret={made.secret} onClose={onClose} />
  return <WebhookForm webhook={webhook} onMade={setMade} onClose={onClose} />
}

interface WebhookFormProps {
  webhook?: Webhook | undefined
  onMade: (made: Made) => void
  onClose: () => void
}

function WebhookForm({ webhook, onMade, onClose }: WebhookFormProps) {
  const client = useQueryClient()
  const form = useForm(WebhookInput, {
    initial: { url: webhook?.url ?? '', events: webhook?.events ?? [...EVENT_NAMES], note: webhook?.note ?? '' },
    labels: { url: 'URL' },
    onSubmit: async (input) => {
      if (webhook) {
        await patch(`/webhooks/${webhook.id}`, input)
        onClose()
      } else {
        onMade(await post<Made>('/webhooks', input))
      }
      void client.invalidateQueries({ queryKey: ['webhooks'] })
    },
  })
  const url = form.text('url')
  const refusal = useUrlRefusal(url.value)
  const events = form.field<EventName[]>('events')
  const title = webhook ? 'Edit webhook' : 'Add webhook'
  return (
    <Dialog title={title} isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <Form form={form} failureTitle="The webhook was not saved.">
        <TextField
          label="URL"
          description="Where events are posted to. It must begin with https:// and be a public address."
          placeholder="https://example.com/hooks/kith"
          type="url"
          inputMode="url"
          autoComplete="off"
          autoFocus
          {...url}
          {...(refusal ? { isInvalid: true, errorMessage: refusal } : {})}
        />
        <div className="event-choice">
          <Checkbox
            isSelected={events.value.length === EVENT_NAMES.length}
            isIndeterminate={events.value.length > 0 && events.value.length < EVENT_NAMES.length}
            onChange={(isAll) => events.onChange(isAll ? [...EVENT_NAMES] : [])}
          >
            All events
          </Checkbox>
          <CheckboxGroup
            label="Events"
            name="events"
            value={events.value}
            onChange={(names) => events.onChange(names as EventName[])}
          >
            {EVENT_NAMES.map((name) => (
              <Checkbox key={name} value={name} description={EVENT_WORDS[name]}>
                {name}
              </Checkbox>
            ))}
          </CheckboxGroup>
        </div>
        <TextField label="Note" isOptional description="What it is for." {...form.text('note')} />
        <FormActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {webhook ? 'Save webhook' : 'Add webhook'}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}

const TYPING_MS = 250
/** Until a host is there, nothing can be said about it. */
const HAS_HOST = /^\s*https?:\/\/[^/\s]+/i

/** Why the server would refuse this address, asked while it is typed. */
function useUrlRefusal(url: string): string | null {
  const [refusal, setRefusal] = useState<{ url: string; sentence: string | null }>({ url: '', sentence: null })
  useEffect(() => {
    if (!HAS_HOST.test(url)) return
    const asking = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const { refused } = await post<{ refused: string | null }>(
          '/webhooks/check-url',
          { url },
          { signal: asking.signal },
        )
        setRefusal({ url, sentence: refused })
      } catch {
        // The server says it again when the form is sent.
      }
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [url])
  return refusal.url === url ? refusal.sentence : null
}
