import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { ComboBox, Option } from '../ui/combo-box.tsx'
import { Select } from '../ui/select.tsx'
import { coordinatesFrom, knownRadius, RADII_M, USUAL_RADIUS_M } from './area.ts'
import { countryName, findCities, loadCities } from './cities.ts'
import { distanceText } from './place-words.ts'
import type { Area } from './use-area.ts'

/** Where to search, without a map: a city or coordinates, and how far around. What the map shows stands here too. */
export function AreaFields({ area }: { area: Area }) {
  return (
    <div className="prospecting-row">
      <GoTo area={area} />
      <Radius area={area} />
    </div>
  )
}

interface Destination {
  id: string
  name: string
  description?: string | undefined
  latitude: number
  longitude: number
}

const FOUND_MAX = 8

function GoTo({ area }: { area: Area }) {
  const [text, setText] = useState('')
  const [isUsed, setUsed] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const found = useDestinations(text, isUsed)
  const go = ({ name, latitude, longitude }: Destination) => {
    setText(name)
    // One who looks at a whole country does not want to see as much around a city.
    area.goTo({ latitude, longitude }, knownRadius(area.radiusM) ?? USUAL_RADIUS_M)
  }
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const first = found[0]
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !first) return
    const isMarked = Boolean(input.current?.getAttribute('aria-activedescendant'))
    if (!isMarked && input.current?.getAttribute('aria-expanded') === 'true') go(first)
  }
  return (
    <div className="prospecting-go" onKeyDownCapture={onKeyDownCapture}>
      <ComboBox
        label="Go to a place"
        placeholder="City, or 42.0, 21.43"
        inputRef={input}
        inputValue={text}
        onInputChange={(next) => {
          if (input.current === document.activeElement) setText(next)
        }}
        onFocus={() => setUsed(true)}
        selectedKey={null}
        onSelectionChange={(key) => {
          const chosen = found.find(({ id }) => id === key)
          if (chosen) go(chosen)
        }}
        allowsCustomValue
        defaultFilter={() => true}
        empty={text.trim() === '' ? 'Type the name of a city.' : `No city is called “${text.trim()}”.`}
      >
        {found.map(({ id, name, description }) => (
          <Option key={id} id={id} text={name} description={description}>
            {name}
          </Option>
        ))}
      </ComboBox>
    </div>
  )
}

/** Cities by name, and what is typed as coordinates. */
function useDestinations(text: string, isUsed: boolean): Destination[] {
  const { data: cities } = useQuery({
    queryKey: ['cities'],
    queryFn: loadCities,
    enabled: isUsed,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => {
    const point = coordinatesFrom(text)
    if (point) return [{ id: 'point', name: `${point.latitude}, ${point.longitude}`, ...point }]
    return findCities(cities ?? [], text, FOUND_MAX).map(({ name, country, latitude, longitude }) => ({
      id: `${latitude},${longitude}`,
      name,
      description: countryName(country),
      latitude,
      longitude,
    }))
  }, [cities, text])
}

const AS_SHOWN = 'as shown'

function Radius({ area }: { area: Area }) {
  const known = knownRadius(area.radiusM)
  return (
    <Select
      label="Search within"
      value={known === undefined ? AS_SHOWN : String(known)}
      onChange={(key) => key === AS_SHOWN || area.setRadius(Number(key))}
    >
      {known === undefined ? <Option id={AS_SHOWN}>{distanceText(area.radiusM)}</Option> : null}
      {RADII_M.map((radiusM) => (
        <Option key={radiusM} id={String(radiusM)}>
          {distanceText(radiusM)}
        </Option>
      ))}
    </Select>
  )
}
