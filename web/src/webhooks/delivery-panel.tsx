import type { DeliveryAttempt, DeliveryDetails } from '@server/webhooks/ui-schema.ts'
import { IconRefresh, IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiFailure, get, post } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-field.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { exactTime } from '../ui/format.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Link } from '../ui/link.tsx'
import { Radio, RadioGroup } from '../ui/radio-group.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { toast } from '../ui/toast.ts'
import { deliveryCurl } from './delivery-curl.ts'
import { DeliveryStatus } from './delivery-status.tsx'
import { attemptText, prettyJson, sentenceOf, timingRows } from './delivery-words.ts'

/** All of one delivery: what happened, every attempt, request and response. */
export function DeliveryPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', 'one', id],
    queryFn: ({ signal }) => get<DeliveryDetails>(`/deliveries/${id}`, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <section className="delivery-panel card" aria-label="Delivery">
      <div className="delivery-panel-close">
        <IconButton label="Close" shortcut="Esc" isSmall onPress={onClose}>
          <IconX />
        </IconButton>
      </div>
      {error && data?.id !== id ? (
        <ErrorState title="The delivery could not be loaded." failure={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Details key={data.id} delivery={data} />
      ) : (
        <SkeletonRows label="Loading the delivery" />
      )}
    </section>
  )
}

function Details({ delivery }: { delivery: DeliveryDetails }) {
  const [chosen, setChosen] = useState<number>()
  const { tries, body } = delivery
  const attempt = tries.find(({ number }) => number === chosen) ?? tries[0]
  const url = attempt?.url ?? delivery.subscription_url
  const headers = attempt?.request_headers ?? []
  return (
    <>
      <div className="delivery-panel-head">
        <h2>
          <code>{delivery.event}</code>
        </h2>
        <DeliveryStatus delivery={delivery} />
      </div>
      <p>{sentenceOf(delivery)}</p>
      <p className="secondary small">
        {exactTime(delivery.created_at)}
        {delivery.contact ? (
          <>
            {' · '}
            <Link to="/contacts/$id" params={{ id: delivery.contact.id }}>
              {delivery.contact.name}
            </Link>
          </>
        ) : null}
        {delivery.is_test ? ' · Test, about no contact' : null}
      </p>
      <div className="delivery-panel-actions">
        <SendAgain delivery={delivery} />
        <CopyButton value={deliveryCurl({ url, headers, body })} isSmall>
          Copy as curl
        </CopyButton>
      </div>
      {tries.length > 1 ? (
        <RadioGroup label="Attempts" value={String(attempt?.number)} onChange={(number) => setChosen(Number(number))}>
          {tries.map((one) => (
            <Radio key={one.number} value={String(one.number)} description={exactTime(one.started_at)}>
              {attemptText(one)}
            </Radio>
          ))}
        </RadioGroup>
      ) : null}
      <Tabs
        label="Request and response"
        tabs={[
          { id: 'request', title: 'Request', content: <Request url={url} headers={headers} body={body} /> },
          { id: 'response', title: 'Response', content: <Response attempt={attempt} /> },
        ]}
      />
    </>
  )
}

function SendAgain({ delivery: { id, status } }: { delivery: DeliveryDetails }) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const send = async () => {
    setPending(true)
    try {
      await post(`/deliveries/${id}/send-again`)
      toast({ text: 'The delivery is sent again.' })
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      toast({ tone: 'danger', text: failureWords(err, 'The delivery was not sent again.') })
    }
    setPending(false)
    await client.invalidateQueries({ queryKey: ['deliveries'] })
  }
  return (
    <Button
      isSmall
      icon={<IconRefresh />}
      isPending={isPending}
      isDisabled={status === 'pending'}
      onPress={() => void send()}
    >
      Send again
    </Button>
  )
}

function Request({ url, headers, body }: { url: string; headers: string[][]; body: string }) {
  const [isExact, setExact] = useState(false)
  return (
    <div className="delivery-texts">
      <Part title="URL">
        <pre className="delivery-url">POST {url}</pre>
      </Part>
      <Part title="Headers">
        <Headers headers={headers} none="Not sent yet." />
      </Part>
      <Part
        title="Body"
        actions={
          <Button isSmall variant="quiet" onPress={() => setExact(!isExact)}>
            {isExact ? 'Show pretty' : 'Show exactly as signed'}
          </Button>
        }
      >
        <Text label="Body">{isExact ? body : prettyJson(body)}</Text>
      </Part>
    </div>
  )
}

function Response({ attempt }: { attempt: DeliveryAttempt | undefined }) {
  if (!attempt) return <p className="secondary">Not sent yet.</p>
  const { response_status, response_headers, response_body, error } = attempt
  return (
    <div className="delivery-texts">
      <Part title="Answer">
        <p>{response_status === null ? (error ?? 'None.') : `${response_status}${error ? `: ${error}` : ''}`}</p>
      </Part>
      <Part title="Timings">
        <dl className="delivery-timings">
          {timingRows(attempt).map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="tabular">{text}</dd>
            </div>
          ))}
        </dl>
      </Part>
      {response_status === null ? null : (
        <>
          <Part title="Headers">
            <Headers headers={response_headers ?? []} none="None." />
          </Part>
          <Part title="Body, at most 16 KiB of it">
            {response_body ? (
              <Text label="Body of the answer">{response_body}</Text>
            ) : (
              <p className="secondary">Empty.</p>
            )}
          </Part>
        </>
      )}
    </div>
  )
}

function Part({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section>
      <div className="delivery-part-head">
        <h3>{title}</h3>
        {actions}
      </div>
      {children}
    </section>
  )
}

function Headers({ headers, none }: { headers: string[][]; none: string }) {
  if (headers.length === 0) return <p className="secondary">{none}</p>
  return (
    <dl className="delivery-headers">
      {headers.map(([name, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a header may come twice, and none moves.
        <div key={at}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** It scrolls, so the keyboard must reach it. */
function Text({ label, children }: { label: string; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <section className="delivery-text" tabIndex={0} aria-label={label}>
      <pre>{children}</pre>
    </section>
  )
}
