/** Sample data, which is added and undone like any import. */
import { addNote } from '../activities/note-actions.ts'
import { now, toIso } from '../clock.ts'
import { createContact } from '../contacts/actions.ts'
import type { Tx } from '../database/engine.ts'
import { changeTask, createTask } from '../tasks/actions.ts'
import { insertImportTask } from './change-store.ts'
import { Changes } from './changes.ts'
import { countsOf, type Doing, finish, requireOwn } from './doing.ts'
import { importActor } from './job.ts'
import { demoContacts, demoNote, demoTasksAbout } from './sample-data.ts'
import { advanceJob, type ImportKey } from './store.ts'
import { keyOf } from './stored-file.ts'

const AT_ONCE = 20

export const SAMPLE_NAME = 'Sample data'

export async function* addSample(doing: Doing): AsyncGenerator<void> {
  const { db, job, owner, tell } = doing
  const key = keyOf(job)
  const inputs = demoContacts()
  let counts = countsOf(job)
  while (counts.rows_read < inputs.length) {
    const before = counts
    const end = Math.min(inputs.length, before.rows_read + AT_ONCE)
    const after = { ...before, rows_read: end, rows_added: end }
    await db.write(async (tx) => {
      const changes = new Changes(key)
      for (let at = before.rows_read; at < end; at++) await addOne(tx, key, { at, changes })
      await changes.save(tx)
      requireOwn(await advanceJob(tx, key, { state: 'running', owner, before, after, bytesRead: 0 }))
      tell(tx)
    })
    counts = after
    yield
  }
  await finish(doing, { state: 'done', finished_at: toIso(now()) })
}

async function addOne(tx: Tx, key: ImportKey, { at, changes }: { at: number; changes: Changes }): Promise<void> {
  const actor = importActor(key)
  const contact = await createContact(tx, actor, demoContacts()[at]!)
  changes.added(contact)
  const note = demoNote(at)
  if (note) await addNote(tx, actor, contact.id, { kind: 'note', body: note })
  for (const { input, isDone } of demoTasksAbout(contact, at)) {
    const task = await createTask(tx, actor, input)
    const { updated_at } = isDone ? await changeTask(tx, actor, task.id, { status: 'done' }) : task
    await insertImportTask(tx, key, { taskId: task.id, at: updated_at })
  }
}
