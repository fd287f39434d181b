import type { Invitation, MadeLink, Member } from '@server/members/schema.ts'
import { IconDots, IconUserPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { patch, post, remove } from '../api/client.ts'
import { ShownOnce } from '../api-keys/shown-once.tsx'
import { useIsAdmin, useSession } from '../app/session.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { type DataColumn, DataTable } from '../ui/data-table.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { type Members, membersQuery } from './use-members.ts'

/** What is being done, and to whom. */
type Task =
  | { is: 'invite' }
  | { is: 'role' | 'reset' | 'remove'; member: Member }
  | { is: 'withdraw'; invitation: Invitation }
  | { is: 'link'; kind: 'invitation' | 'reset'; email: string; link: string }

export function MembersPage() {
  const isAdmin = useIsAdmin()
  const [task, setTask] = useState<Task>()
  const { data, error, refetch } = useQuery(membersQuery)
  const invite = (
    <Button variant="primary" icon={<IconUserPlus />} onPress={() => setTask({ is: 'invite' })}>
      Invite
    </Button>
  )
  return (
    <>
      <PageHeader title="Members" section="Settings" count={data?.members.length} actions={isAdmin ? invite : null} />
      {error && !data ? (
        <ErrorState title="The members could not be loaded." failure={error} onRetry={refetch} />
      ) : data ? (
        <MemberTables data={data} onTask={setTask} />
      ) : (
        <SkeletonRows label="Loading members" onRetry={refetch} />
      )}
      {task ? <TaskDialog task={task} onTask={setTask} /> : null}
    </>
  )
}

function MemberTables({ data, onTask }: { data: Members; onTask: (task: Task) => void }) {
  const isAdmin = useIsAdmin()
  const ownId = useSession().member.id
  const nameOf = (actor: string) => {
    const member = data.members.find(({ id }) => actor === `member:${id}`)
    return member ? shownName(member) : 'somebody who has left'
  }
  return (
    <>
      <DataTable label="Members" columns={memberColumns({ ownId, isAdmin, onTask })} rows={data.members} />
      {data.invitations.length === 0 ? null : (
        <>
          <h2>Invited</h2>
          <DataTable
            label="Invitations"
            columns={invitationColumns({ isAdmin, nameOf, onTask })}
            rows={data.invitations}
          />
        </>
      )}
    </>
  )
}

interface ColumnParts {
  isAdmin: boolean
  onTask: (task: Task) => void
}

const ROLE_NAMES = { admin: 'Admin', member: 'Member' } as const

function memberColumns({ ownId, isAdmin, onTask }: ColumnParts & { ownId: string }): DataColumn<Member>[] {
  const columns: DataColumn<Member>[] = [
    { id: 'name', name: 'Name', cell: (member) => `${shownName(member)}${member.id === ownId ? ' (you)' : ''}` },
    { id: 'email', name: 'Email', cell: ({ email }) => email },
    { id: 'role', name: 'Role', cell: ({ role }) => <RoleChip role={role} /> },
    {
      id: 'seen',
      name: 'Last seen',
      cell: ({ last_seen_at }) => (last_seen_at ? <RelativeTime iso={last_seen_at} /> : 'Never'),
    },
  ]
  if (!isAdmin) return columns
  const actions: DataColumn<Member> = {
    id: 'actions',
    name: 'Actions',
    isNameHidden: true,
    align: 'end',
    cell: (member) => (
      <Menu
        placement="bottom end"
        trigger={
          <IconButton isSmall label={`Actions for ${shownName(member)}`}>
            <IconDots />
          </IconButton>
        }
      >
        <MenuItem onAction={() => onTask({ is: 'role', member })}>Change role</MenuItem>
        <MenuItem onAction={() => onTask({ is: 'reset', member })}>Reset password</MenuItem>
        <MenuItem isDanger onAction={() => onTask({ is: 'remove', member })}>
          Remove
        </MenuItem>
      </Menu>
    ),
  }
  return [...columns, actions]
}

function invitationColumns({
  isAdmin,
  nameOf,
  onTask,
}: ColumnParts & { nameOf: (actor: string) => string }): DataColumn<Invitation>[] {
  const columns: DataColumn<Invitation>[] = [
    { id: 'email', name: 'Email', cell: ({ email }) => email },
    { id: 'role', name: 'Role', cell: ({ role }) => <RoleChip role={role} /> },
    { id: 'by', name: 'Invited by', cell: ({ created_by }) => nameOf(created_by) },
    { id: 'ends', name: 'Link ends', cell: ({ expires_at }) => <RelativeTime iso={expires_at} /> },
  ]
  if (!isAdmin) return columns
  const actions: DataColumn<Invitation> = {
    id: 'actions',
    name: 'Actions',
    isNameHidden: true,
    align: 'end',
    cell: (invitation) => (
      <Button
        isSmall
        aria-label={`Withdraw invitation of ${invitation.email}`}
        onPress={() => onTask({ is: 'withdraw', invitation })}
      >
        Withdraw
      </Button>
    ),
  }
  return [...columns, actions]
}

function RoleChip({ role }: { role: Member['role'] }) {
  return <Chip tone={role === 'admin' ? 'accent' : 'neutral'}>{ROLE_NAMES[role]}</Chip>
}

function TaskDialog({ task, onTask }: { task: Task; onTask: (task: Task | undefined) => void }) {
  const client = useQueryClient()
  const ownId = useSession().member.id
  const close = () => onTask(undefined)
  const dialog = { isOpen: true, onOpenChange: (isOpen: boolean) => isOpen || close() }
  const done = async (text: string) => {
    await client.invalidateQueries({ queryKey: ['members'] })
    toast({ text })
  }
  switch (task.is) {
    case 'invite':
      return (
        <InviteDialog
          onClose={close}
          onMade={({ email, link }) => {
            void client.invalidateQueries({ queryKey: ['members'] })
            onTask({ is: 'link', kind: 'invitation', email, link })
          }}
        />
      )
    case 'link':
      return <LinkShown {...task} onClose={close} />
    case 'withdraw':
      return (
        <ConfirmDialog
          {...dialog}
          title={`Withdraw the invitation of ${task.invitation.email}?`}
          confirm="Withdraw invitation"
          onConfirm={async () => {
            await remove(`/invitations/${task.invitation.id}`)
            await done('Invitation withdrawn.')
          }}
        >
          The link stops working at once.
        </ConfirmDialog>
      )
    case 'role': {
      const { id, role } = task.member
      const next = role === 'admin' ? 'member' : 'admin'
      const name = shownName(task.member)
      return (
        <ConfirmDialog
          {...dialog}
          isDanger={false}
          title={next === 'admin' ? `Make ${name} an admin?` : `Make ${name} a member?`}
          confirm={next === 'admin' ? 'Make admin' : 'Make member'}
          onConfirm={async () => {
            await patch(`/members/${id}`, { role: next })
            await client.invalidateQueries({ queryKey: ['session'] })
            await done(`${name} is ${next === 'admin' ? 'an admin' : 'a member'} now.`)
          }}
        >
          {next === 'admin'
            ? 'Admins manage members, API keys, webhooks and the organisation.'
            : 'Members work with contacts, deals, tasks and imports, and change no settings but their own.'}
          {id === ownId ? null : ' They are signed out and sign in again.'}
        </ConfirmDialog>
      )
    }
    case 'reset': {
      const { id, email } = task.member
      let made: MadeLink | undefined
      return (
        <ConfirmDialog
          {...dialog}
          onOpenChange={(isOpen) => {
            if (isOpen) return
            if (made) onTask({ is: 'link', kind: 'reset', email, link: made.link })
            else close()
          }}
          isDanger={false}
          title={`Reset the password of ${shownName(task.member)}?`}
          confirm="Make link"
          onConfirm={async () => {
            made = await post<MadeLink>(`/members/${id}/reset`)
          }}
        >
          You get a link to hand over. With it they choose a new password; until then the old one works.
        </ConfirmDialog>
      )
    }
    case 'remove': {
      const { id } = task.member
      const name = shownName(task.member)
      return (
        <ConfirmDialog
          {...dialog}
          title={`Remove ${name}?`}
          confirm="Remove member"
          onConfirm={async () => {
            await remove(`/members/${id}`)
            if (id === ownId) window.location.assign('/sign-in')
            else await done(`${name} is removed.`)
          }}
        >
          {id === ownId ? 'You are' : 'They are'} signed out at once. What they have done stays.
        </ConfirmDialog>
      )
    }
  }
}

function LinkShown({ kind, email, link, onClose }: Task & { is: 'link' } & { onClose: () => void }) {
  const isInvitation = kind === 'invitation'
  return (
    <ShownOnce
      title={isInvitation ? `Invitation for ${email}` : `Reset link for ${email}`}
      label="Link"
      value={link}
      intro={`Copy this link now and send it to them. It will not be shown again, works once, and ends in ${isInvitation ? '24 hours' : '1 hour'}.`}
      warning="Nobody can see this link again. You would have to make another."
      onClose={onClose}
    >
      <p className="secondary small">Kith sends no mail. Whoever has the link can use it.</p>
    </ShownOnce>
  )
}

function shownName({ name, email }: Member): string {
  return name || email
}
