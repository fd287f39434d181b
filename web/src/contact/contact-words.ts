/** Contacts in sentences. */
import type { Activity } from '@server/activities/schema.ts'
import type { Duplicate } from '@server/contacts/grid-schema.ts'
import { counted } from '../ui/format.ts'

/** "There is already an Ada Lovelace at Acme." */
export function duplicateText({ full_name, company, email }: Duplicate, given: { email?: string | null }): string {
  const hasSameEmail = given.email && email?.toLowerCase() === given.email.toLowerCase()
  if (hasSameEmail) return `${full_name ?? company} has the address ${email} already.`
  if (full_name === null) return `There is already a contact ${company}.`
  return `There is already ${article(full_name)} ${full_name}${company === null ? '' : ` at ${company}`}.`
}

function article(name: string): string {
  return /^[aeiouàáâäæèéêëìíîïòóôöøùúûü]/i.test(name) ? 'an' : 'a'
}

/** What goes with a contact that is deleted: "This also deletes 12 activities and 34 webhook deliveries. …" */
export function deletionText({ activities, deliveries }: { activities: number; deliveries: number }): string {
  const parts = [
    ...(activities > 0 ? [counted(activities, 'activity', 'activities')] : []),
    ...(deliveries > 0 ? [counted(deliveries, 'webhook delivery', 'webhook deliveries')] : []),
  ]
  const also = parts.length > 0 ? `This also deletes ${parts.join(' and ')}. ` : ''
  return `${also}It cannot be undone.`
}

/** What a line of the history that the service has written says. */
export function activityText({ kind, body, author }: Pick<Activity, 'kind' | 'body' | 'author'>): string {
  switch (kind) {
    case 'created':
      return 'Created'
    case 'imported':
      return `Imported from ${author}`
    case 'stage_changed':
      return `Stage: ${body}`
    case 'task_completed':
      return `Task done: ${body}`
    default:
      return body
  }
}
