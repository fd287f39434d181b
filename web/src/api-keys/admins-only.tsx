import { IconLock } from '@tabler/icons-react'
import { useAdmins } from '../app/session.ts'
import { EmptyState } from '../ui/empty-state.tsx'

/** In place of what members do not see; the server refuses it anyway. */
export function AdminsOnly({ children }: { children: string }) {
  const [first, ...others] = useAdmins()
  return (
    <EmptyState icon={<IconLock aria-hidden="true" />} title={children}>
      {first ? `Ask ${[first, ...others.slice(0, 2)].join(' or ')}.` : null}
    </EmptyState>
  )
}
