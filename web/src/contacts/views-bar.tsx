import { IconBookmark, IconDots } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { patch, post, remove } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Link } from '../ui/link.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { toast } from '../ui/toast.ts'
import {
  BUILT_IN_VIEWS,
  type ContactList,
  type ContactsSearch,
  differsFromView,
  type View,
  viewOf,
} from './list-query.ts'

const ViewNameDialog = lazy(() => import('./view-name-dialog.tsx'))

export interface ViewsBarProps {
  search: ContactsSearch
  views: readonly View[]
  list: ContactList
  columns: readonly string[]
}

type Asked = 'save' | 'rename' | 'delete'

/** The views that everybody has, those that the org has saved, and what can be done with the one that is shown. */
export function ViewsBar({ search, views, list, columns }: ViewsBarProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked>()
  const current = viewOf(search, views)
  const saved = current && !BUILT_IN_VIEWS.includes(current) ? current : undefined
  const isChanged = differsFromView(search, views)
  const close = () => setAsked(undefined)
  const refresh = () => client.invalidateQueries({ queryKey: ['session'] })
  const shown = { filter: list.filter, sort: list.sort, columns: [...columns] }

  const save = async (name: string) => {
    const { id } = await post<View>('/views', { name, ...shown })
    await refresh()
    close()
    await navigate({ to: '/contacts', search: { view: id } })
    toast({ text: `View “${name}” saved. Everybody in the organisation sees it.` })
  }
  const rename = async (view: View, name: string) => {
    await patch(`/views/${view.id}`, { name })
    await refresh()
    close()
  }
  const update = async (view: View) => {
    await patch(`/views/${view.id}`, shown)
    await refresh()
    await navigate({ to: '/contacts', search: { view: view.id } })
    toast({ text: `View “${view.name}” updated.` })
  }
  return (
    <nav className="views-bar" aria-label="Views">
      <ul>
        {[...BUILT_IN_VIEWS, ...views].map((view) => (
          <li key={view.id}>
            <Link
              to="/contacts"
              search={view.id === 'all' ? {} : { view: view.id }}
              className="view-link"
              activeProps={{}}
              aria-current={view === current ? 'page' : undefined}
            >
              {view.name}
            </Link>
          </li>
        ))}
      </ul>
      {saved ? (
        <Menu
          aria-label={`View ${saved.name}`}
          trigger={
            <IconButton label={`More for view ${saved.name}`}>
              <IconDots />
            </IconButton>
          }
        >
          <MenuItem isDisabled={!isChanged} onAction={() => void update(saved)}>
            Update view
          </MenuItem>
          <MenuItem onAction={() => setAsked('rename')}>Rename view</MenuItem>
          <MenuItem isDanger onAction={() => setAsked('delete')}>
            Delete view
          </MenuItem>
        </Menu>
      ) : null}
      {isChanged ? (
        <Button variant="quiet" icon={<IconBookmark />} onPress={() => setAsked('save')}>
          Save view
        </Button>
      ) : null}
      <Suspense>
        {asked === 'save' ? (
          <ViewNameDialog title="Save view" submit="Save view" name="" onName={save} onClose={close} />
        ) : null}
        {asked === 'rename' && saved ? (
          <ViewNameDialog
            title="Rename view"
            submit="Rename view"
            name={saved.name}
            onName={(name) => rename(saved, name)}
            onClose={close}
          />
        ) : null}
      </Suspense>
      {asked === 'delete' && saved ? (
        <ConfirmDialog
          title={`Delete the view “${saved.name}”?`}
          confirm="Delete view"
          isOpen
          onOpenChange={close}
          onConfirm={async () => {
            await remove(`/views/${saved.id}`)
            await navigate({ to: '/contacts', search: {} })
            await refresh()
          }}
        >
          Nobody in the organisation will have it any more. The contacts stay.
        </ConfirmDialog>
      ) : null}
    </nav>
  )
}
