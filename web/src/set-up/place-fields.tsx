import { useMemo } from 'react'
import { ComboBox, Option } from '../ui/combo-box.tsx'
import { currencies, timeZones } from './guesses.ts'

interface PlaceFieldProps {
  name: string
  value: string
  onChange: (value: string) => void
}

export function TimeZoneField({ name, value, onChange }: PlaceFieldProps) {
  const zones = useMemo(() => withOwn(timeZones(), value), [value])
  return (
    <ComboBox
      name={name}
      label="Time zone"
      value={value}
      onChange={(key) => onChange(key === null ? '' : String(key))}
      empty="No such time zone."
    >
      {zones.map((zone) => (
        <Option key={zone} id={zone}>
          {zone.replaceAll('_', ' ')}
        </Option>
      ))}
    </ComboBox>
  )
}

export function CurrencyField({ name, value, onChange }: PlaceFieldProps) {
  const known = useMemo(() => currencies(navigator.language), [])
  return (
    <ComboBox
      name={name}
      label="Currency"
      value={value}
      onChange={(key) => onChange(key === null ? '' : String(key))}
      empty="No such currency."
    >
      {known.map(({ code, name: words }) => (
        <Option key={code} id={code} text={`${code} ${words}`}>
          {`${code} ${words}`}
        </Option>
      ))}
    </ComboBox>
  )
}

/** A zone that this browser calls by another name must not vanish from the form. */
function withOwn(list: string[], value: string): string[] {
  return value === '' || list.includes(value) ? list : [value, ...list]
}
