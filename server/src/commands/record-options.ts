/** The arguments and options that name records, the same in every command. */
import { text } from '../settings/value-kinds.ts'

/** Of every command that is about something of an org. */
export const orgOption = { kind: text('ID'), meaning: 'Whose it is; "kith org list" tells.', isRequired: true } as const

export const idArgument = (what: string) => ({ kind: text('ID'), meaning: `Which ${what}.` }) as const

/** Of every command that takes something away for good. */
export const yesOption = { meaning: 'Do it; without this the command only says what it would do.' } as const
