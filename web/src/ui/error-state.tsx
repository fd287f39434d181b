import './states.css'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiFailure } from '../api/client.ts'
import { useAdmins } from '../app/session.ts'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'
import { failureWords } from './failure-words.ts'

export interface ErrorStateProps {
  /** What failed, as a sentence: "The contacts could not be loaded." */
  title: string
  failure: unknown
  onRetry?: (() => void) | undefined
}

/** In place of what could not be shown. */
export function ErrorState({ title, failure, onRetry }: ErrorStateProps) {
  const admins = useAdmins()
  const isForbidden = failure instanceof ApiFailure && failure.code === 'forbidden'
  return (
    <div className="state" role="alert">
      {isForbidden ? <IconLock aria-hidden="true" /> : <IconAlertTriangle aria-hidden="true" />}
      <p className="state-title">{failureWords(failure, title, admins)}</p>
      {onRetry && !isForbidden ? (
        <div className="state-actions">
          <Button onPress={onRetry}>Try again</Button>
        </div>
      ) : null}
      <RequestId failure={failure} />
    </div>
  )
}

/** Inside a form or a dialog. */
export function FailureText({ failure, title }: { failure: unknown; title?: string | undefined }) {
  const admins = useAdmins()
  return (
    <div className="failure" role="alert">
      <p>{failureWords(failure, title, admins)}</p>
      <RequestId failure={failure} />
    </div>
  )
}

function RequestId({ failure }: { failure: unknown }) {
  const [isCopied, setCopied] = useState(false)
  if (!(failure instanceof ApiFailure) || !failure.requestId || failure.status < 500) return null
  const { requestId } = failure
  const copy = () => void copyText(requestId).then(() => setCopied(true))
  return (
    <span className="request-id">
      Request <code>{requestId}</code>
      <Button isSmall variant="quiet" onPress={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </span>
  )
}
