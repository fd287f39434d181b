import { useEffect, useState } from 'react'
import { exactTime, relativeTime } from './format.ts'
import { FocusableWithTooltip } from './tooltip.tsx'

export interface RelativeTimeProps {
  iso: string
  /** A Tab stop, so that the keyboard gets at the exact time too. Not in lists, where another control says it. */
  isFocusable?: boolean | undefined
}

/** "yesterday"; the exact time on hover and focus. */
export function RelativeTime({ iso, isFocusable }: RelativeTimeProps) {
  const text = relativeTime(iso, useMinute())
  const exact = exactTime(iso)
  if (!isFocusable) {
    return (
      <time dateTime={iso} title={exact}>
        {text}
      </time>
    )
  }
  return (
    <FocusableWithTooltip text={exact}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time shows on focus. */}
      <time dateTime={iso} tabIndex={0} role="note">
        {text}
      </time>
    </FocusableWithTooltip>
  )
}

/** One clock for all: a thousand times in a list must not be a thousand timers. */
const listeners = new Set<(now: number) => void>()
let timer: ReturnType<typeof setInterval> | undefined

function useMinute(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    listeners.add(setNow)
    timer ??= setInterval(() => {
      for (const listener of listeners) listener(Date.now())
    }, 60_000)
    return () => {
      listeners.delete(setNow)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
  return now
}
