import './webhook-page.css'
import type { RotatedSecret, WebhookDetails } from '@server/webhooks/ui-schema.ts'
import { IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Static } from 'typebox'
import { ApiFailure, get, post, remove } from '../api/client.ts'
import { AdminsOnly } from '../api-keys/admins-only.tsx'
import { useIsAdmin } from '../app/session.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { exactTime } from '../ui/format.ts'
import { LinkButton } from '../ui/link.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { AttemptsChart } from './attempts-chart.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { eventsText } from './event-words.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { SendAgainDialog } from './send-again-dialog.tsx'
import { SendTestMenu } from './send-test-menu.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookState } from './webhook-state.tsx'

export function WebhookPage() {
  const isAdmin = useIsAdmin()
  const { id } = useParams({ strict: false }) as { id: string }
  if (isAdmin) return <Loaded key={id} id={id} />
  return (
    <>
      <PageHeader title="Webhook" section="Webhooks" />
      <AdminsOnly>Only an admin can manage webhooks.</AdminsOnly>
    </>
  )
}

function Loaded({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => get<WebhookDetails>(`/webhooks/${id}`, { signal }),
  })
  if (data) return <Page webhook={data} />
  return (
    <>
      <PageHeader title="Webhook" section="Webhooks" />
      {!error ? (
        <SkeletonRows label="Loading the webhook" onRetry={() => void refetch()} />
      ) : error instanceof ApiFailure && error.status === 404 ? (
        <EmptyState
          title="This webhook does not exist or was deleted."
          actions={<LinkButton to="/settings/webhooks">Back to webhooks</LinkButton>}
        />
      ) : (
        <ErrorState title="The webhook could not be loaded." failure={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

type Open = 'edit' | 'secret' | 'delete' | 'again'

function Page({ webhook }: { webhook: WebhookDetails }) {
  const { id, url, events, note, paused_at, old_secret_until, hours, sending_again } = webhook
  const client = useQueryClient()
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>()
  const [secret, setSecret] = useState<string>()
  const close = () => setOpen(undefined)
  const refresh = () => client.invalidateQueries({ queryKey: ['webhooks'] })
  const run = async (what: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      toast({ tone: 'danger', text: failureWords(err, what) })
    }
    await refresh()
  }
  const togglePause = () =>
    run('The webhook was not changed.', () => post(`/webhooks/${id}/${paused_at ? 'resume' : 'pause'}`))
  const rotate = async () => {
    const made = await post<Static<typeof RotatedSecret>>(`/webhooks/${id}/secret`)
    setSecret(made.secret)
    await refresh()
  }
  const deleteWebhook = async () => {
    await remove(`/webhooks/${id}`)
    client.removeQueries({ queryKey: ['webhooks', id] })
    await navigate({ to: '/settings/webhooks' })
    await refresh()
    toast({ text: 'Webhook deleted.' })
  }
  return (
    <>
      <PageHeader
        title={url}
        section="Webhooks"
        lead={note}
        actions={
          <>
            <SendTestMenu webhookId={id} isDisabled={paused_at !== null} />
            <Button icon={paused_at ? <IconPlayerPlay /> : <IconPlayerPause />} onPress={() => void togglePause()}>
              {paused_at ? 'Resume' : 'Pause'}
            </Button>
            <Button icon={<IconPencil />} onPress={() => setOpen('edit')}>
              Edit
            </Button>
            <Menu trigger={<Button>More</Button>} placement="bottom end">
              <MenuItem onAction={() => setOpen('secret')}>New secret</MenuItem>
              <MenuItem onAction={() => setOpen('again')}>Send all failed again…</MenuItem>
              <MenuItem isDanger onAction={() => setOpen('delete')}>
                Delete
              </MenuItem>
            </Menu>
          </>
        }
      />
      <p className="webhook-facts">
        <WebhookState pausedAt={paused_at} />
        <span title={events.join(', ')}>{eventsText(events)}</span>
      </p>
      {paused_at ? (
        <p className="secondary">Paused: no delivery is made for new events, and what is due waits until you resume.</p>
      ) : null}
      {old_secret_until ? (
        <Notice
          action={
            <Button
              isSmall
              onPress={() => void run('The old secret was not ended.', () => remove(`/webhooks/${id}/secret/old`))}
            >
              End the old secret
            </Button>
          }
        >
          The old secret goes on signing beside the new one until {exactTime(old_secret_until)}.
        </Notice>
      ) : null}
      {sending_again ? (
        <Notice
          action={
            <Button
              isSmall
              onPress={() => void run('It was not stopped.', () => remove(`/webhooks/${id}/send-failed-again`))}
            >
              Stop
            </Button>
          }
        >
          <ProgressBar
            label="Sending failed deliveries again"
            value={sending_again.done}
            maxValue={sending_again.total}
          />
        </Notice>
      ) : null}
      <AttemptsChart title="Delivered and failed per hour, last 7 days" hours={hours} />
      <section className="webhook-log" aria-labelledby="deliveries-heading">
        <h2 id="deliveries-heading">Deliveries</h2>
        <DeliveryLog
          subscriptionId={id}
          emptyActions={<SendTestMenu webhookId={id} isDisabled={paused_at !== null} />}
        />
      </section>
      {open === 'edit' ? <WebhookDialog webhook={webhook} onClose={close} /> : null}
      {open === 'again' ? <SendAgainDialog webhookId={id} onClose={close} /> : null}
      <ConfirmDialog
        title="Make a new secret?"
        confirm="Make new secret"
        isDanger={false}
        isOpen={open === 'secret'}
        onOpenChange={close}
        onConfirm={rotate}
      >
        The old secret goes on for 24 hours beside the new one, so that the receiver can be changed without losing a
        delivery. A still older one ends now.
      </ConfirmDialog>
      <ConfirmDialog
        title={`Delete the webhook to ${url}?`}
        confirm="Delete webhook"
        isOpen={open === 'delete'}
        onOpenChange={close}
        onConfirm={deleteWebhook}
      >
        This also deletes its delivery log and what is still waiting to be sent. It cannot be undone.
      </ConfirmDialog>
      {secret ? <SecretDialog secret={secret} onClose={() => setSecret(undefined)} /> : null}
    </>
  )
}

function Notice({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <div className="webhook-notice">
      <div>{children}</div>
      {action}
    </div>
  )
}
