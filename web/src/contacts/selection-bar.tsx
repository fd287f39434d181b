import './selection-bar.css'
import type { ContactsChange } from '@server/contacts/bulk-schema.ts'
import type { Contact } from '@server/contacts/schema.ts'
import { TaskInput } from '@server/tasks/schema.ts'
import { IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Type } from 'typebox'
import { postForFile } from '../api/client.ts'
import { useCommands } from '../app/commands.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { Form, FormActions, useForm } from '../ui/form.tsx'
import { counted, count as countText } from '../ui/format.ts'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { Option, Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'
import { changeMany, type Progress, UNDONE_MAX, undoOf } from './bulk.ts'
import { saveFile } from './export.ts'
import { type Selection, selectedCount, type Target, targetOf } from './grid/selection.ts'
import { knownContacts } from './list-pages.ts'
import type { ContactList } from './list-query.ts'
import { DUE_CHOICES, dueTime } from './task-due.ts'

export interface SelectionBarProps {
  selection: Selection
  list: ContactList
  /** How many match; null until they are counted. */
  count: number | null
  columns: readonly string[]
  stages: readonly string[]
  labels: readonly string[]
  isDisabled: boolean
  onClear: () => void
}

type Asked = 'stage' | 'label' | 'tag' | 'task' | 'delete'

/** So many are deleted only after their number has been typed. */
const DELETED_UNTYPED_MAX = 10
const PROGRESS_MIN = 200

/** What can be done with the selected contacts: each is one action of the server. */
export function SelectionBar(props: SelectionBarProps) {
  const { selection, list, count, columns, stages, labels, isDisabled, onClear } = props
  const [asked, setAsked] = useState<Asked>()
  const many = useChangeMany()
  const number = selectedCount(selection, count)
  const words = number === null ? 'All that match' : countText(number)
  const target = targetOf(selection, list.filter, count)
  const isBusy = isDisabled || many.progress !== undefined
  const close = () => setAsked(undefined)
  const run = (change: ContactsChange, done: (contacts: string) => string) =>
    many.run(target, number, change, (contacts) => done(counted(contacts, 'contact')))
  const setField = (field: 'deal_stage' | 'label', value: string | null) => {
    const noun = field === 'label' ? 'label' : 'stage'
    return run({ set: { [field]: value } }, (contacts) => `${contacts}: ${noun} ${value ?? 'removed'}.`)
  }
  const exportSelected = async () => {
    try {
      const { expected: _, ...meant } = target as Target & { expected?: number }
      const { file, name } = await postForFile('/contacts/export', { ...meant, columns })
      saveFile(file, name)
    } catch (err) {
      toast({ text: failureWords(err, 'The contacts were not exported.'), tone: 'danger' })
    }
  }
  useCommands([
    { id: 'selection-tag', text: 'Add tag to selection', section: 'This selection', run: () => setAsked('tag') },
    { id: 'selection-task', text: 'Add task to selection', section: 'This selection', run: () => setAsked('task') },
    { id: 'selection-delete', text: 'Delete selection', section: 'This selection', run: () => setAsked('delete') },
  ])
  return (
    <section className="selection-bar" aria-label="Selection">
      <p className="selection-count" role="status">
        {words} selected
      </p>
      {many.progress ? (
        <div className="selection-progress">
          <ProgressBar
            label={`${countText(many.progress.done)} of ${countText(many.progress.total)} contacts`}
            value={many.progress.done}
            maxValue={Math.max(many.progress.total, 1)}
          />
          <Button isSmall onPress={many.stop}>
            Stop
          </Button>
        </div>
      ) : (
        <div className="selection-actions">
          <ChoiceMenu
            title="Set stage"
            choices={stages}
            isDisabled={isBusy}
            onChoose={(stage) => void setField('deal_stage', stage)}
            onOther={() => setAsked('stage')}
          />
          <ChoiceMenu
            title="Set label"
            choices={labels}
            isDisabled={isBusy}
            onChoose={(label) => void setField('label', label)}
            onOther={() => setAsked('label')}
          />
          <Button isSmall isDisabled={isBusy} onPress={() => setAsked('tag')}>
            Add tag
          </Button>
          <Button isSmall isDisabled={isBusy} onPress={() => setAsked('task')}>
            Add task
          </Button>
          <Button isSmall isDisabled={isBusy} onPress={() => void exportSelected()}>
            Export
          </Button>
          <Button isSmall variant="danger" isDisabled={isBusy} onPress={() => setAsked('delete')}>
            Delete
          </Button>
          <Button isSmall variant="quiet" icon={<IconX />} onPress={onClear}>
            Clear
          </Button>
        </div>
      )}
      {asked === 'stage' || asked === 'label' || asked === 'tag' ? (
        <TextDialog
          {...TEXT_DIALOGS[asked]}
          onClose={close}
          onText={(text) => {
            close()
            if (asked !== 'tag') return setField(asked === 'stage' ? 'deal_stage' : 'label', text)
            return run({ add_tag: text }, (contacts) => `${contacts}: tag ${text} added.`)
          }}
        />
      ) : null}
      {asked === 'task' ? (
        <TaskDialog
          number={words}
          onClose={close}
          onTask={(task) => {
            close()
            return run({ add_task: task }, (contacts) => `Task added to ${contacts}.`)
          }}
        />
      ) : null}
      {asked === 'delete' && number !== null ? (
        <ConfirmDialog
          title={`Delete ${counted(number, 'contact')}?`}
          confirm={number === 1 ? 'Delete contact' : `Delete ${counted(number, 'contact')}`}
          typed={number > DELETED_UNTYPED_MAX ? String(number) : undefined}
          isOpen
          onOpenChange={close}
          onConfirm={() => {
            void run({ delete: true }, (contacts) => `${contacts} deleted.`).then((isDone) => isDone && onClear())
          }}
        >
          <p>This also deletes their activities and webhook deliveries. It cannot be undone.</p>
        </ConfirmDialog>
      ) : null}
    </section>
  )
}

const TEXT_DIALOGS = {
  stage: { title: 'Set another stage', label: 'Stage', submit: 'Set stage' },
  label: { title: 'Set another label', label: 'Label', submit: 'Set label' },
  tag: { title: 'Add tag', label: 'Tag', submit: 'Add tag' },
}

/** Runs a change of many, shows how far it is, says how it ended and offers to take it back. */
function useChangeMany() {
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const abort = useRef<AbortController>(undefined)
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])

  const run = async (
    target: Target,
    number: number | null,
    change: ContactsChange,
    done: (contacts: number) => string,
  ): Promise<boolean> => {
    const before =
      number !== null && number <= UNDONE_MAX ? contactsBefore(knownContacts(client), target, number) : undefined
    const undo = before && undoOf(change, before)
    abort.current = new AbortController()
    const { signal } = abort.current
    const isLong = number === null || number > PROGRESS_MIN
    let last: Progress = { done: 0, total: number ?? 0 }
    const onProgress = (line: Progress) => {
      last = line
      if (isLong && isShown.current) setProgress(line)
    }
    if (isLong) setProgress(last)
    try {
      const line = await changeMany(target, change, { onProgress, signal })
      const failed = line.failed_count ?? line.failed?.length ?? 0
      if (line.ended === false) {
        toast({
          text: `${line.message ?? 'It was stopped.'} ${countText(line.done)} of ${countText(line.total)} are done.`,
          tone: 'danger',
        })
      } else if (failed > 0) {
        const why = line.failed?.[0]?.message ?? ''
        toast({ text: `${done(line.done - failed)} ${countText(failed)} failed: ${why}`, tone: 'danger' })
      } else {
        toast({ text: done(line.done), ...(undo && { undo: () => undoAll(undo) }) })
      }
      return line.ended !== false
    } catch (err) {
      if (signal.aborted) toast({ text: `Stopped. ${done(last.done)}` })
      else toast({ text: failureWords(err, 'The contacts were not changed.'), tone: 'danger' })
      return false
    } finally {
      if (isShown.current) setProgress(undefined)
      void client.invalidateQueries({ queryKey: ['contacts'] })
    }
  }
  const undoAll = async (steps: { ids: string[]; change: ContactsChange }[]) => {
    try {
      for (const { ids, change } of steps) await changeMany({ ids }, change)
      toast({ text: 'Undone.' })
    } catch (err) {
      toast({ text: failureWords(err, 'Not all of it was undone.'), tone: 'danger' })
    } finally {
      void client.invalidateQueries({ queryKey: ['contacts'] })
    }
  }
  return { progress, run, stop: () => abort.current?.abort() }
}

/** The selected contacts as they are now, if the page has all of them. */
function contactsBefore(known: Map<string, Contact>, target: Target, number: number): Contact[] | undefined {
  const contacts =
    'ids' in target ? target.ids.map((id) => known.get(id)).filter((contact) => contact !== undefined) : undefined
  return contacts?.length === number ? contacts : undefined
}

function ChoiceMenu({
  title,
  choices,
  isDisabled,
  onChoose,
  onOther,
}: {
  title: string
  choices: readonly string[]
  isDisabled: boolean
  onChoose: (choice: string | null) => void
  onOther: () => void
}) {
  return (
    <Menu
      aria-label={title}
      placement="top start"
      trigger={
        <Button isSmall isDisabled={isDisabled}>
          {title}
        </Button>
      }
    >
      {choices.map((choice) => (
        <MenuItem key={choice} onAction={() => onChoose(choice)}>
          {choice}
        </MenuItem>
      ))}
      <MenuItem onAction={() => onChoose(null)}>None</MenuItem>
      <MenuSeparator />
      <MenuItem onAction={onOther}>Other…</MenuItem>
    </Menu>
  )
}

const OneText = Type.Object({ text: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false })

function TextDialog({
  title,
  label,
  submit,
  onText,
  onClose,
}: {
  title: string
  label: string
  submit: string
  onText: (text: string) => unknown
  onClose: () => void
}) {
  const form = useForm(OneText, { labels: { text: label }, onSubmit: ({ text }) => void onText(text) })
  return (
    <Dialog title={title} isOpen onOpenChange={onClose}>
      <Form form={form}>
        <TextField label={label} autoFocus {...form.text('text')} />
        <FormActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            {submit}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}

const { title, priority, category } = TaskInput.properties
const TaskOfMany = Type.Object(
  { title, priority: Type.Optional(priority), category: Type.Optional(category) },
  { additionalProperties: false },
)

function TaskDialog({
  number,
  onTask,
  onClose,
}: {
  number: string
  onTask: (task: NonNullable<ContactsChange['add_task']>) => unknown
  onClose: () => void
}) {
  const [due, setDue] = useState<string>(DUE_CHOICES[0].id)
  const form = useForm(TaskOfMany, {
    onSubmit: (task) => void onTask({ ...task, due_at: dueTime(due) }),
  })
  return (
    <Dialog title={`Add a task to ${number} contacts`} isOpen onOpenChange={onClose}>
      <Form form={form}>
        <TextField label="Title" autoFocus isRequired {...form.text('title')} />
        <Select label="Due" value={due} onChange={(key) => setDue(String(key))}>
          {DUE_CHOICES.map(({ id, text }) => (
            <Option key={id} id={id}>
              {text}
            </Option>
          ))}
        </Select>
        <TextField label="Priority" {...form.text('priority')} />
        <TextField label="Category" {...form.text('category')} />
        <FormActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            Add task
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
