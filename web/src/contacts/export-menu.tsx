import type { ContactFilter } from '@server/contacts/filter-schema.ts'
import { IconDownload } from '@tabler/icons-react'
import { Button } from '../ui/button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { exportMatching } from './export.ts'

/** All that match, as a file. */
export function ExportMenu({ filter, columns }: { filter: ContactFilter; columns: readonly string[] }) {
  return (
    <Menu placement="bottom end" aria-label="Export CSV" trigger={<Button icon={<IconDownload />}>Export CSV</Button>}>
      <MenuItem description="As they are in this list" onAction={() => exportMatching(filter, columns)}>
        Columns shown
      </MenuItem>
      <MenuItem description="With ids and times" onAction={() => exportMatching(filter, 'all')}>
        All columns
      </MenuItem>
    </Menu>
  )
}
