import type { LoggedDelivery } from '@server/webhooks/ui-schema.ts'
import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Chip, type ChipTone } from '../ui/chip.tsx'
import { STATUS_WORDS } from './delivery-words.ts'

const STATUS_LOOKS: Record<LoggedDelivery['status'], { tone: ChipTone; icon: ReactNode }> = {
  delivered: { tone: 'ok', icon: <IconCheck aria-hidden="true" /> },
  failed: { tone: 'danger', icon: <IconAlertTriangle aria-hidden="true" /> },
  pending: { tone: 'neutral', icon: <IconClock aria-hidden="true" /> },
}

export function DeliveryStatus({ delivery: { status } }: { delivery: Pick<LoggedDelivery, 'status'> }) {
  const { tone, icon } = STATUS_LOOKS[status]
  return (
    <Chip tone={tone} icon={icon}>
      {STATUS_WORDS[status]}
    </Chip>
  )
}
