import './states.css'
import { type CSSProperties, useEffect, useState } from 'react'
import { Button } from './button.tsx'

export interface SkeletonProps {
  width?: CSSProperties['width']
  height?: CSSProperties['height']
}

/** A grey place of the same size as what will come. */
export function Skeleton({ width, height }: SkeletonProps) {
  return <span className="skeleton" style={{ width, height }} aria-hidden="true" />
}

const PATIENCE_MS = 10_000

/**
 * Lines of grey while something is loaded; after ten seconds it says so.
 *
 * @param label what is loaded: "Loading contacts"
 */
export function SkeletonRows({
  rows = 6,
  label = 'Loading',
  onRetry,
}: {
  rows?: number
  label?: string
  onRetry?: (() => void) | undefined
}) {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="skeleton-rows" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {isLong ? (
        <p role="status">
          Still loading. The server may be busy.{' '}
          {onRetry ? (
            <Button isSmall onPress={onRetry}>
              Try again
            </Button>
          ) : null}
        </p>
      ) : null}
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move.
        <Skeleton key={row} height={20} width={`${96 - ((row * 17) % 40)}%`} />
      ))}
    </div>
  )
}
