/** How imports are told of. */
import type { Counts } from '@server/imports/schema.ts'
import type { ImportColumn, ImportDetail, ImportSummary, Match } from '@server/imports/ui-schema.ts'
import { count, counted } from '../ui/format.ts'

export const FIELD_WORDS: Record<NonNullable<ImportColumn['field']>, string> = {
  full_name: 'Name',
  first_name: 'First name',
  last_name: 'Last name',
  company: 'Company',
  email: 'Email',
  phone: 'Phone',
  location: 'Location',
  deal_stage: 'Stage',
  deal_value: 'Value',
  label: 'Label',
  tags: 'Tags, several in a cell',
  tag: 'One tag',
}

export const ENCODING_WORDS: Record<ImportDetail['encoding'], string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little-endian',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Windows-1252',
}

export const DELIMITER_WORDS: Record<ImportDetail['delimiter'], string> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
}

export const KNOWN_WORDS: Record<Match['known'], string> = {
  skip: 'Skip',
  fill: 'Update empty fields',
  update: 'Update',
  add: 'Add anyway',
}

export const STATE_WORDS: Record<ImportSummary['state'], string> = {
  uploading: 'Uploading',
  uploaded: 'Not imported yet',
  checking: 'Being checked',
  checked: 'Not imported yet',
  running: 'Running',
  stopped: 'Stopped',
  done: 'Done',
  failed: 'Failed',
  undoing: 'Being undone',
  undone: 'Undone',
}

export type StepName = 'File' | 'Columns' | 'Check' | 'Import' | 'Done'

export const STEPS: readonly StepName[] = ['File', 'Columns', 'Check', 'Import', 'Done']

export function stepOf(state: ImportSummary['state']): StepName {
  if (state === 'uploading') return 'File'
  if (state === 'uploaded') return 'Columns'
  if (state === 'checking' || state === 'checked') return 'Check'
  if (state === 'running' || state === 'stopped') return 'Import'
  return 'Done'
}

/** While the server is at it, what is shown is asked for again and again. */
export function isWorking(state: ImportSummary['state']): boolean {
  return state === 'checking' || state === 'running' || state === 'undoing'
}

/** "9,812 will be added, 140 will be updated, 48 have problems." */
export function checkedSentence({ rows_added, rows_updated, rows_skipped, rows_rejected }: Counts): string {
  const parts = [
    `${count(rows_added)} will be added`,
    ...(rows_updated > 0 ? [`${count(rows_updated)} will be updated`] : []),
    ...(rows_skipped > 0 ? [`${count(rows_skipped)} will be skipped`] : []),
    ...(rows_rejected > 0
      ? [`${count(rows_rejected)} ${rows_rejected === 1 ? 'has a problem' : 'have problems'}`]
      : []),
  ]
  return `${parts.join(', ')}.`
}

/** "9,812 added, 140 updated, 48 with problems" */
export function countsText({ rows_added, rows_updated, rows_skipped, rows_rejected }: Counts): string {
  return [
    `${count(rows_added)} added`,
    ...(rows_updated > 0 ? [`${count(rows_updated)} updated`] : []),
    ...(rows_skipped > 0 ? [`${count(rows_skipped)} skipped`] : []),
    ...(rows_rejected > 0 ? [`${count(rows_rejected)} with problems`] : []),
  ].join(', ')
}

/** A sentence of the server's with the fields by the names that the page calls them. */
export function plainReason(reason: string): string {
  return reason.replace(/\b(?:full_name|deal_stage|deal_value)\b|(?:^|(?<=\. ))[a-z]+(?=[ /])/g, (name) => {
    return (FIELD_WORDS as Record<string, string>)[name] ?? name
  })
}

/** What undoing came to, or would come to: "Removes 9,812 contacts and puts 140 back as they were." */
export function undoSentence({ removed, restored }: { removed: number; restored: number }): string {
  const parts = [
    ...(removed > 0 || restored === 0 ? [`removes ${counted(removed, 'contact')}`] : []),
    ...(restored > 0
      ? [`puts ${counted(restored, 'contact')} back as ${restored === 1 ? 'it was' : 'they were'}`]
      : []),
  ]
  return `Undoing ${parts.join(' and ')}.`
}
