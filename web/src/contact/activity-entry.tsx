import { type Activity, NotePatch } from '@server/activities/schema.ts'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { patch, remove } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Form, FormActions } from '../ui/form.tsx'
import { clockTime, exactTime } from '../ui/format.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { useForm } from '../ui/use-form.ts'
import { pathOf } from './contact-query.ts'
import { activityText } from './contact-words.ts'
import { activityIcon, isOfPeople, NOTE_WORDS } from './note-words.tsx'

export interface ActivityEntryProps {
  contactId: string
  activity: Activity
}

/** A line of the history. What the service has written looks quieter. */
export const ActivityEntry = memo(function ActivityEntry({ contactId, activity }: ActivityEntryProps) {
  const [isEditing, setEditing] = useState(false)
  const { kind, body, author, occurred_at, edited_at, is_own } = activity
  const name = isOfPeople(kind) ? NOTE_WORDS[kind].name : undefined
  return (
    <article className="activity-entry" data-quiet={name === undefined ? '' : undefined}>
      <span className="activity-icon" aria-hidden="true">
        {activityIcon(kind)}
      </span>
      <div className="activity-content">
        <p className="activity-head">
          {name === undefined ? <span>{activityText(activity)}</span> : <strong>{name}</strong>}{' '}
          <span className="secondary small">
            {author},{' '}
            <time dateTime={occurred_at} title={exactTime(occurred_at)}>
              {clockTime(occurred_at)}
            </time>
            {edited_at === null ? null : ', edited'}
          </span>
          {is_own && !isEditing ? (
            <OwnActions contactId={contactId} activity={activity} onEdit={() => setEditing(true)} />
          ) : null}
        </p>
        {isEditing ? (
          <NoteEditor contactId={contactId} activity={activity} onEnd={() => setEditing(false)} />
        ) : name === undefined ? null : (
          <p className="activity-body">{body}</p>
        )}
      </div>
    </article>
  )
})

function OwnActions({ contactId, activity, onEdit }: ActivityEntryProps & { onEdit: () => void }) {
  const client = useQueryClient()
  const noun = isOfPeople(activity.kind) ? NOTE_WORDS[activity.kind].name.toLowerCase() : 'note'
  return (
    <span className="activity-actions">
      <IconButton isSmall label={`Edit ${noun}`} onPress={onEdit}>
        <IconPencil />
      </IconButton>
      <ConfirmDialog
        title={`Delete this ${noun}?`}
        confirm={`Delete ${noun}`}
        trigger={
          <IconButton isSmall label={`Delete ${noun}`}>
            <IconTrash />
          </IconButton>
        }
        onConfirm={async () => {
          await remove(`${pathOf(contactId)}/activities/${activity.id}`)
          await client.invalidateQueries({ queryKey: ['contact', contactId] })
        }}
      >
        It cannot be undone.
      </ConfirmDialog>
    </span>
  )
}

function NoteEditor({ contactId, activity, onEnd }: ActivityEntryProps & { onEnd: () => void }) {
  const client = useQueryClient()
  const form = useForm(NotePatch, {
    initial: { body: activity.body },
    labels: { body: 'The text' },
    onSubmit: async (input) => {
      await patch(`${pathOf(contactId)}/activities/${activity.id}`, input)
      await client.invalidateQueries({ queryKey: ['contact', contactId] })
      onEnd()
    },
  })
  return (
    <Form form={form} failureTitle="The change was not saved." label="Edit the text">
      <TextArea
        label="Text"
        isLabelHidden
        autoFocus
        rows={3}
        {...form.text('body')}
        onKeyDown={({ key }) => (key === 'Escape' ? onEnd() : undefined)}
      />
      <FormActions>
        <Button isSmall onPress={onEnd}>
          Cancel
        </Button>
        <Button isSmall variant="primary" type="submit" isPending={form.isPending}>
          Save changes
        </Button>
      </FormActions>
    </Form>
  )
}
