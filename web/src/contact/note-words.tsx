import type { Activity, NoteKind } from '@server/activities/schema.ts'
import {
  IconArrowRight,
  IconCheck,
  IconFileImport,
  IconMail,
  IconNote,
  IconPhone,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface Words {
  name: string
  icon: ReactNode
  /** The button. */
  add: string
  placeholder: string
}

/** What people add to a contact's history. */
export const NOTE_WORDS: Record<NoteKind, Words> = {
  note: { name: 'Note', icon: <IconNote />, add: 'Save note', placeholder: 'Write a note' },
  call: { name: 'Call', icon: <IconPhone />, add: 'Save call', placeholder: 'What was said' },
  email: { name: 'Email', icon: <IconMail />, add: 'Save email', placeholder: 'What was written' },
  meeting: { name: 'Meeting', icon: <IconUsers />, add: 'Save meeting', placeholder: 'What came of the meeting' },
}

const SERVICE_ICONS: Record<Exclude<Activity['kind'], NoteKind>, ReactNode> = {
  created: <IconUserPlus />,
  imported: <IconFileImport />,
  stage_changed: <IconArrowRight />,
  task_completed: <IconCheck />,
}

export function isOfPeople(kind: Activity['kind']): kind is NoteKind {
  return kind in NOTE_WORDS
}

export function activityIcon(kind: Activity['kind']): ReactNode {
  return isOfPeople(kind) ? NOTE_WORDS[kind].icon : SERVICE_ICONS[kind]
}
