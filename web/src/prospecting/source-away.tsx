import { IconCloudOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { ApiFailure } from '../api/client.ts'
import { announce } from '../app/announce.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export interface SourceAwayProps {
  failure: ApiFailure
  /** When it failed, by this browser's clock. */
  atMs: number
  isPending: boolean
  onRetry: () => void
}

const TITLE = 'The places server did not answer.'
const USUAL_REST_S = 30

/** A server of places that does not answer is left alone for as long as it asks for. */
export function SourceAway({ failure, atMs, isPending, onRetry }: SourceAwayProps) {
  const leftS = useSecondsUntil(atMs + (failure.retryAfterS ?? USUAL_REST_S) * 1000)
  const isResting = leftS > 0
  // Not as an alert around it, which would be read again with each second.
  useEffect(() => announce(TITLE, { isUrgent: true }), [])
  return (
    <EmptyState
      icon={<IconCloudOff aria-hidden="true" />}
      title={TITLE}
      actions={
        <Button isDisabled={isResting} isPending={isPending} onPress={onRetry}>
          {isResting ? `Try again in ${leftS} s` : 'Try again'}
        </Button>
      }
    >
      Try again in a moment, or add a places file.
    </EmptyState>
  )
}

/** Counts down, and ends at 0. */
function useSecondsUntil(untilMs: number): number {
  const [now, setNow] = useState(Date.now)
  const leftS = Math.max(0, Math.ceil((untilMs - now) / 1000))
  useEffect(() => {
    if (leftS === 0) return
    const timer = setTimeout(() => setNow(Date.now()), untilMs - (leftS - 1) * 1000 - Date.now())
    return () => clearTimeout(timer)
  }, [leftS, untilMs])
  return leftS
}
