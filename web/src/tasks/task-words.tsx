/** How the priorities and categories that the app offers are shown; a task may have any other. */
import {
  IconAlertCircle,
  IconArrowDown,
  IconArrowUp,
  IconCalendarEvent,
  IconCategory,
  IconFlag,
  IconMail,
  IconMinus,
  IconPhone,
  IconRepeat,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const

export const CATEGORIES = ['call', 'email', 'meeting', 'follow-up', 'other'] as const

const PRIORITY_ICONS: Record<string, ReactNode> = {
  low: <IconArrowDown aria-hidden="true" />,
  normal: <IconMinus aria-hidden="true" />,
  high: <IconArrowUp aria-hidden="true" />,
  urgent: <IconAlertCircle aria-hidden="true" />,
}

const CATEGORY_ICONS: Record<string, ReactNode> = {
  call: <IconPhone aria-hidden="true" />,
  email: <IconMail aria-hidden="true" />,
  meeting: <IconCalendarEvent aria-hidden="true" />,
  'follow-up': <IconRepeat aria-hidden="true" />,
}

export function priorityIcon(priority: string): ReactNode {
  return PRIORITY_ICONS[priority] ?? <IconFlag aria-hidden="true" />
}

export function categoryIcon(category: string): ReactNode {
  return CATEGORY_ICONS[category] ?? <IconCategory aria-hidden="true" />
}

/** Its own word first, where it is none of those that are offered. */
export function choicesWith(offered: readonly string[], own: string | null | undefined): string[] {
  return own && !offered.includes(own) ? [own, ...offered] : [...offered]
}
