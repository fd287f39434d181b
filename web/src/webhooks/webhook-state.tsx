import { IconPlayerPause } from '@tabler/icons-react'
import { Chip } from '../ui/chip.tsx'

export function WebhookState({ pausedAt }: { pausedAt: string | null }) {
  if (pausedAt === null) return <Chip tone="ok">Active</Chip>
  return (
    <Chip tone="warn" icon={<IconPlayerPause aria-hidden="true" />}>
      Paused
    </Chip>
  )
}
