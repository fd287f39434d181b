import './contact-page.css'
import type { ContactPage as Page } from '@server/contacts/page-schema.ts'
import type { Contact } from '@server/contacts/schema.ts'
import { IconArrowDown, IconArrowUp, IconDots, IconNote, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { ApiFailure, remove } from '../api/client.ts'
import { useCommands } from '../app/commands.ts'
import { startCreating } from '../app/creating.ts'
import { usePageHeading } from '../app/page-heading.ts'
import { useIsAdmin, useLabelColour } from '../app/session.ts'
import { nameOf } from '../contacts/grid/cell.tsx'
import type { ColumnId } from '../contacts/grid/columns.ts'
import { goToNeighbour, listContextOf } from '../contacts/list-context.ts'
import { ContactTasks } from '../tasks/contact-tasks.tsx'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { copyText } from '../ui/copy-text.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { count } from '../ui/format.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { LinkButton } from '../ui/link.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { Money } from '../ui/money.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { toast } from '../ui/toast.ts'
import { DeliveryLog } from '../webhooks/delivery-log.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { ContactFields } from './contact-fields.tsx'
import { pathOf } from './contact-query.ts'
import { deletionText } from './contact-words.ts'
import { StageMenu } from './stage-menu.tsx'
import { type ShownContact, useContact } from './use-contact.ts'

const route = getRouteApi('/shell/contacts/$id')

/** One contact: its fields, and what has happened with it. */
export function ContactPage() {
  const { id } = route.useParams()
  return <ContactView key={id} id={id} />
}

function ContactView({ id }: { id: string }) {
  const shown = useContact(id)
  const { contact, failure, retry } = shown
  if (failure instanceof ApiFailure && failure.status === 404) return <NotThere />
  if (contact) return <Loaded contact={contact} shown={shown} />
  return (
    <Untitled>
      {failure ? (
        <ErrorState title="The contact could not be loaded." failure={failure} onRetry={retry} />
      ) : (
        <SkeletonRows rows={8} label="Loading the contact" onRetry={retry} />
      )}
    </Untitled>
  )
}

function NotThere() {
  return (
    <Untitled>
      <EmptyState
        title="This contact does not exist or was deleted."
        actions={
          <LinkButton to="/contacts" variant="primary">
            Back to contacts
          </LinkButton>
        }
      />
    </Untitled>
  )
}

/** A page whose contact has no name yet. */
function Untitled({ children }: { children: ReactNode }) {
  const heading = usePageHeading('Contact', 'Contacts')
  return (
    <>
      <h1 className="visually-hidden" ref={heading} tabIndex={-1}>
        Contact
      </h1>
      {children}
    </>
  )
}

function Loaded({ contact, shown }: { contact: Contact; shown: ShownContact }) {
  const { id } = contact
  const name = nameOf(contact)
  const { page, save } = shown
  const isAdmin = useIsAdmin()
  const navigate = useNavigate()
  const [tab, setTab] = useState('activity')
  const [editing, setEditing] = useState<ColumnId>()
  const [isDeleting, setDeleting] = useState(false)
  const composer = useRef<HTMLTextAreaElement>(null)
  const hasList = listContextOf(id) !== undefined

  const addNote = () => {
    setTab('activity')
    // The tab may have to be drawn first.
    requestAnimationFrame(() => composer.current?.focus())
  }
  const addTask = () => startCreating({ record: 'task', contactId: id, contactName: name })
  const copyId = () => void copyText(id).then(() => toast({ text: 'Id copied.' }))
  const step = async (by: 1 | -1) => {
    const next = await goToNeighbour(id, by)
    if (next) await navigate({ to: '/contacts/$id', params: { id: next.id } })
    else toast({ text: by === 1 ? 'This is the last contact of the list.' : 'This is the first contact of the list.' })
  }
  useCommands([
    {
      id: 'edit-contact',
      text: 'Edit contact',
      section: 'This contact',
      keys: 'e',
      run: () => setEditing('full_name'),
    },
    { id: 'add-note', text: 'Add note', section: 'This contact', words: 'call email meeting', run: addNote },
    { id: 'new-task', text: `New task for ${name}`, section: 'This contact', keys: 't', run: addTask },
    { id: 'copy-contact-id', text: 'Copy id', section: 'This contact', run: copyId },
    { id: 'delete-contact', text: 'Delete contact', section: 'This contact', run: () => setDeleting(true) },
    ...(hasList
      ? ([
          { id: 'previous', text: 'Previous contact', section: 'This contact', keys: '[', run: () => void step(-1) },
          { id: 'next', text: 'Next contact', section: 'This contact', keys: ']', run: () => void step(1) },
        ] as const)
      : []),
  ])

  return (
    <div className="contact-page">
      <PageHeader
        title={name}
        section="Contacts"
        apiCall={{ method: 'GET', path: pathOf(id) }}
        lead={<Lead contact={contact} onStage={(deal_stage) => void save({ deal_stage })} />}
        actions={
          <>
            {hasList ? (
              <>
                <IconButton label="Previous contact" shortcut="[" onPress={() => void step(-1)}>
                  <IconArrowUp />
                </IconButton>
                <IconButton label="Next contact" shortcut="]" onPress={() => void step(1)}>
                  <IconArrowDown />
                </IconButton>
              </>
            ) : null}
            <Menu
              aria-label="More"
              placement="bottom end"
              trigger={
                <IconButton label="More">
                  <IconDots />
                </IconButton>
              }
            >
              <MenuItem onAction={copyId}>Copy id</MenuItem>
              <MenuItem isDanger onAction={() => setDeleting(true)}>
                Delete contact
              </MenuItem>
            </Menu>
            <Button icon={<IconPlus />} onPress={addTask}>
              Add task
            </Button>
            <Button variant="primary" icon={<IconNote />} onPress={addNote}>
              Add note
            </Button>
          </>
        }
      />
      <div className="contact-columns">
        <ContactFields contact={contact} shown={shown} editing={editing} onEditing={setEditing} />
        <Tabs
          label="About this contact"
          selectedKey={tab}
          onSelectionChange={setTab}
          tabs={[
            {
              id: 'activity',
              title: 'Activity',
              content: (
                <ActivityTab
                  id={id}
                  first={page?.activities}
                  failure={shown.failure}
                  onRetry={shown.retry}
                  composer={composer}
                />
              ),
            },
            {
              id: 'tasks',
              title: page?.open_tasks ? `Tasks (${count(page.open_tasks)})` : 'Tasks',
              content: <ContactTasks contact={{ id, name }} />,
            },
            ...(isAdmin
              ? [{ id: 'deliveries', title: 'Webhook deliveries', content: <DeliveryLog contactId={id} /> }]
              : []),
          ]}
        />
      </div>
      <DeleteContact contact={contact} page={page} isOpen={isDeleting} onOpenChange={setDeleting} />
    </div>
  )
}

function Lead({ contact, onStage }: { contact: Contact; onStage: (stage: string | null) => void }) {
  const { full_name, company, deal_stage, deal_value, label } = contact
  return (
    <span className="contact-lead">
      {full_name !== null && company !== null ? <span>{company}</span> : null}
      <StageMenu stage={deal_stage} onStage={onStage} />
      <Money value={deal_value} />
      {label === null ? null : <LabelChip label={label} />}
    </span>
  )
}

function LabelChip({ label }: { label: string }) {
  return <Chip tone={useLabelColour(label)}>{label}</Chip>
}

interface DeleteContactProps {
  contact: Contact
  page: Page | undefined
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

function DeleteContact({ contact, page, isOpen, onOpenChange }: DeleteContactProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const name = nameOf(contact)
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      confirm="Delete contact"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      onConfirm={async () => {
        const search = listContextOf(contact.id)?.search ?? {}
        await remove(pathOf(contact.id))
        await navigate({ to: '/contacts', search })
        client.removeQueries({ queryKey: ['contact', contact.id] })
        for (const key of ['contacts', 'deals', 'tasks']) void client.invalidateQueries({ queryKey: [key] })
        toast({ text: `${name} was deleted.` })
      }}
    >
      {page
        ? deletionText({ activities: page.activities.meta.count, deliveries: page.delivery_count })
        : 'Its activities and webhook deliveries are deleted too. It cannot be undone.'}
    </ConfirmDialog>
  )
}
