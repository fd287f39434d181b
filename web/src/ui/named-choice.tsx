import { Option, Select } from './select.tsx'

export interface NamedChoiceProps {
  label: string
  /** Says that there is none. */
  none: string
  choices: readonly { name: string }[]
  name?: string | undefined
  value: string | null
  onChange: (value: string | null) => void
  isDisabled?: boolean | undefined
}

/** One of the org's stages or labels, or none. Keys of the list are places in it: a stage may have any name. */
export function NamedChoice({ label, none, choices, name, value, onChange, isDisabled }: NamedChoiceProps) {
  return (
    <Select
      label={label}
      {...(name === undefined ? {} : { name })}
      isDisabled={isDisabled ?? false}
      value={String(choices.findIndex((choice) => choice.name === value))}
      onChange={(key) => onChange(choices[Number(key)]?.name ?? null)}
    >
      <Option id="-1">{none}</Option>
      {choices.map((choice, at) => (
        <Option key={choice.name} id={String(at)}>
          {choice.name}
        </Option>
      ))}
    </Select>
  )
}
