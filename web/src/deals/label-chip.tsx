import { useLabelColour } from '../app/session.ts'
import { Chip } from '../ui/chip.tsx'

/** A label in the colour that the org gives it. */
export function LabelChip({ label }: { label: string }) {
  return <Chip tone={useLabelColour(label)}>{label}</Chip>
}
