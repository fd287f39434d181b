import './chip.css'
import type { ReactNode } from 'react'
import { useStageColour } from '../app/session.ts'
import type { StageColour } from './stage-colours.ts'

export type ChipTone = StageColour | 'ok' | 'warn' | 'danger' | 'accent' | 'neutral'

/** A word with a coloured ground. The word says it all: the colour only helps to find it. */
export function Chip({ tone = 'neutral', icon, children }: { tone?: ChipTone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={`chip chip-${tone}`}>
      {icon}
      <span className="chip-text">{children}</span>
    </span>
  )
}

/** A stage in the colour that the pipeline gives it. */
export function StageChip({ stage }: { stage: string }) {
  return <Chip tone={useStageColour(stage)}>{stage}</Chip>
}
