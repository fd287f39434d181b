import { IconCheck, IconColumns3 } from '@tabler/icons-react'
import { Button } from '../ui/button.tsx'
import { Menu, MenuItem, MenuSection } from '../ui/menu.tsx'
import { COLUMNS, type ColumnId, columnOf, FIXED, type Layout, USUAL_LAYOUT, withHidden } from './grid/columns.ts'

/** Which columns are shown. Their order and widths are changed in the grid. */
export function ColumnsMenu({ layout, onLayout }: { layout: Layout; onLayout: (layout: Layout) => void }) {
  const shown = layout.order.filter((id) => !layout.hidden.includes(id))
  const change = (keys: Set<ColumnId>) => {
    onLayout(COLUMNS.reduce((next, { id }) => withHidden(next, id, !keys.has(id)), layout))
  }
  return (
    <Menu placement="bottom end" aria-label="Columns" trigger={<Button icon={<IconColumns3 />}>Columns</Button>}>
      <MenuSection
        aria-label="Shown"
        selectionMode="multiple"
        selectedKeys={shown}
        disallowEmptySelection
        onSelectionChange={(keys) => change(keys === 'all' ? new Set(layout.order) : (keys as Set<ColumnId>))}
      >
        {layout.order
          .filter((id) => id !== FIXED)
          .map((id) => (
            <MenuItem key={id} id={id} textValue={columnOf(id).title} shouldCloseOnSelect={false}>
              <span className="menu-choice">
                <IconCheck className="menu-check" data-on={shown.includes(id) ? '' : undefined} aria-hidden="true" />
                {columnOf(id).title}
              </span>
            </MenuItem>
          ))}
      </MenuSection>
      <MenuSection aria-label="All">
        <MenuItem onAction={() => onLayout(USUAL_LAYOUT)}>Reset columns</MenuItem>
      </MenuSection>
    </Menu>
  )
}
