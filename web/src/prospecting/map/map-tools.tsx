import { IconLasso, IconMarquee2, IconMinus, IconPlus, IconSquareCheck } from '@tabler/icons-react'
import { IconButton } from '../../ui/icon-button.tsx'
import type { Tool } from './use-drawing.ts'

export interface MapToolsProps {
  tool: Tool | null
  onTool: (tool: Tool | null) => void
  onZoom: (steps: number) => void
  onSelectAll: () => void
  /** There is something that could be selected. */
  isSelectable: boolean
}

export function MapTools({ tool, onTool, onZoom, onSelectAll, isSelectable }: MapToolsProps) {
  const toggle = (one: Tool) => ({
    'aria-pressed': tool === one,
    isDisabled: !isSelectable,
    onPress: () => onTool(tool === one ? null : one),
  })
  return (
    <div className="map-tools">
      <fieldset className="map-tool-group" aria-label="Zoom">
        <IconButton label="Zoom in" onPress={() => onZoom(1)}>
          <IconPlus />
        </IconButton>
        <IconButton label="Zoom out" onPress={() => onZoom(-1)}>
          <IconMinus />
        </IconButton>
      </fieldset>
      <fieldset className="map-tool-group" aria-label="Select on the map">
        <IconButton label="Select in a box" shortcut="Shift and drag" {...toggle('box')}>
          <IconMarquee2 />
        </IconButton>
        <IconButton label="Select by drawing around" {...toggle('lasso')}>
          <IconLasso />
        </IconButton>
        <IconButton label="Select all in view" isDisabled={!isSelectable} onPress={onSelectAll}>
          <IconSquareCheck />
        </IconButton>
      </fieldset>
    </div>
  )
}
