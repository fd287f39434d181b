import { useContext, useEffect, useMemo, useState } from 'react'
import { SessionContext, useCurrency } from '../app/session.ts'
import type { CellLook } from './grid/cell.tsx'

const MINUTE_MS = 60_000

/** How cells are written. It is another one each minute, for "5 minutes ago" must not stay. */
export function useCellLook(): CellLook {
  const { stageColours, labelColours } = useContext(SessionContext)
  const currency = useCurrency()
  const [minute, setMinute] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setMinute((before) => before + 1), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each minute.
  return useMemo(
    () => ({
      currency,
      stageColour: (stage) => stageColours.get(stage) ?? 'lead',
      labelColour: (label) => labelColours.get(label) ?? 'lead',
    }),
    [currency, stageColours, labelColours, minute],
  )
}
