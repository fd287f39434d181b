import { IconChevronDown } from '@tabler/icons-react'
import { useSession } from '../app/session.ts'
import { choicesWith } from '../contacts/grid/choices.ts'
import { Button } from '../ui/button.tsx'
import { StageChip } from '../ui/chip.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'

export interface StageMenuProps {
  stage: string | null
  onStage: (stage: string | null) => void
}

/** The stage, and the pipeline to choose another from. */
export function StageMenu({ stage, onStage }: StageMenuProps) {
  const { stages } = useSession()
  const choices = choicesWith(
    stages.map(({ name }) => name),
    [stage],
  )
  return (
    <Menu
      aria-label="Stage"
      selectionMode="single"
      selectedKeys={stage === null ? [] : [stage]}
      trigger={
        <Button isSmall variant="quiet" aria-label={stage === null ? 'Set stage' : `Stage ${stage}. Change stage`}>
          {stage === null ? 'Set stage' : <StageChip stage={stage} />}
          <IconChevronDown size={16} aria-hidden="true" />
        </Button>
      }
    >
      {[
        ...choices.map((name) => (
          <MenuItem key={name} id={name} onAction={() => (name === stage ? undefined : onStage(name))}>
            {name}
          </MenuItem>
        )),
        ...(stage === null
          ? []
          : [
              <MenuItem key="" id="" onAction={() => onStage(null)}>
                No stage
              </MenuItem>,
            ]),
      ]}
    </Menu>
  )
}
