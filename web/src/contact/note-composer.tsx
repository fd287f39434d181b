import { type Activity, NoteInput, type NoteKind } from '@server/activities/schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { post } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/form.tsx'
import { Option, Select } from '../ui/select.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { useForm } from '../ui/use-form.ts'
import { pathOf } from './contact-query.ts'
import { NOTE_WORDS } from './note-words.tsx'

export interface NoteComposerProps {
  contactId: string
  inputRef: RefObject<HTMLTextAreaElement | null>
}

/** Adds a note, a call, an email or a meeting. The text stays until it is saved. Ctrl or ⌘ with Enter saves. */
export function NoteComposer({ contactId, inputRef }: NoteComposerProps) {
  const client = useQueryClient()
  const form = useForm(NoteInput, {
    initial: { kind: 'note', body: '' },
    labels: { body: 'The text' },
    onSubmit: async (input) => {
      await post<Activity>(`${pathOf(contactId)}/activities`, input)
      form.reset({ kind: input.kind, body: '' })
      await client.invalidateQueries({ queryKey: ['contact', contactId] })
    },
  })
  const kind = form.values.kind as NoteKind
  const { add, placeholder } = NOTE_WORDS[kind]
  return (
    <Form form={form} failureTitle="It was not saved." label="Add to the activity" className="note-composer">
      <TextArea
        label={placeholder}
        isLabelHidden
        placeholder={placeholder}
        rows={2}
        inputRef={inputRef}
        {...form.text('body')}
      />
      <div className="note-actions">
        <Select label="Kind" isLabelHidden value={kind} onChange={(key) => form.set('kind', String(key))}>
          {Object.entries(NOTE_WORDS).map(([id, { name, icon }]) => (
            <Option key={id} id={id} icon={icon} text={name}>
              {name}
            </Option>
          ))}
        </Select>
        <Button type="submit" isPending={form.isPending}>
          {add}
        </Button>
      </div>
    </Form>
  )
}
