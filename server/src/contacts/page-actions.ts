import { listActivities, nameOfActor } from '../activities/note-actions.ts'
import type { Actor } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Reader } from '../database/engine.ts'
import { placeOfContact } from '../prospecting/contact-place-actions.ts'
import { openTasksOf } from '../tasks/actions.ts'
import { countDeliveriesAbout } from '../webhooks/delivery-actions.ts'
import { getContact } from './actions.ts'
import type { ContactPage } from './page-schema.ts'
import { lastChanger } from './store.ts'

const ACTIVITIES_FIRST = 50

/** A contact with what its page shows at first. @throws ApiError `not_found` */
export async function contactPageOf(db: Reader, actor: Actor, id: string): Promise<ContactPage> {
  const { orgId } = actor
  const contact = await getContact(db, orgId, id)
  const [activities, openTasks, delivery_count, changer, place] = await Promise.all([
    listActivities(db, actor, id, { limit: ACTIVITIES_FIRST }),
    openTasksOf(db, { orgId, contactIds: [id], at: toIso(now()) }),
    countDeliveriesAbout(db, orgId, id),
    lastChanger(db, { orgId, id }),
    placeOfContact(db, orgId, id),
  ])
  const changed_by = changer === undefined ? null : await nameOfActor(db, orgId, changer)
  const { open_tasks, overdue_tasks } = openTasks.get(id) ?? { open_tasks: 0, overdue_tasks: 0 }
  return { contact, changed_by, activities, open_tasks, overdue_tasks, delivery_count, place }
}
