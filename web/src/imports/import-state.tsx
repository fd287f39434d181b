import type { ImportSummary } from '@server/imports/ui-schema.ts'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCheck,
  IconHourglass,
  IconLoader,
  IconPlayerPause,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Chip, type ChipTone } from '../ui/chip.tsx'
import { STATE_WORDS } from './import-words.ts'

const LOOKS: Record<ImportSummary['state'], [tone: ChipTone, icon: ReactNode]> = {
  uploading: ['neutral', <IconLoader key="icon" aria-hidden="true" />],
  uploaded: ['neutral', <IconHourglass key="icon" aria-hidden="true" />],
  checking: ['accent', <IconLoader key="icon" aria-hidden="true" />],
  checked: ['neutral', <IconHourglass key="icon" aria-hidden="true" />],
  running: ['accent', <IconLoader key="icon" aria-hidden="true" />],
  stopped: ['warn', <IconPlayerPause key="icon" aria-hidden="true" />],
  done: ['ok', <IconCheck key="icon" aria-hidden="true" />],
  failed: ['danger', <IconAlertTriangle key="icon" aria-hidden="true" />],
  undoing: ['accent', <IconLoader key="icon" aria-hidden="true" />],
  undone: ['neutral', <IconArrowBackUp key="icon" aria-hidden="true" />],
}

export function ImportState({ state }: { state: ImportSummary['state'] }) {
  const [tone, icon] = LOOKS[state]
  return (
    <Chip tone={tone} icon={icon}>
      {STATE_WORDS[state]}
    </Chip>
  )
}
