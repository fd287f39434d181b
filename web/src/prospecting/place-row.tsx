import type { FoundPlace } from '@server/prospecting/schema.ts'
import { IconUserCheck } from '@tabler/icons-react'
import { Link as RouterLink } from '@tanstack/react-router'
import { memo } from 'react'
import { Checkbox } from '../ui/checkbox.tsx'
import { OuterLink } from '../ui/link.tsx'
import { distanceText, kindText, phoneLink, REASON_WORDS, siteLink } from './place-words.ts'

export interface PlaceRowProps {
  place: FoundPlace
  isTicked: boolean
  isActive: boolean
  /** The list's one way in by Tab. */
  isCurrent: boolean
  isDisabled: boolean
  onToggle: (sourceId: string) => void
}

/** One place: to be ticked, or with the contact that it is already. Its keys are handled by the list. */
export const PlaceRow = memo(function PlaceRow(props: PlaceRowProps) {
  const { place, isTicked, isActive, isCurrent, isDisabled, onToggle } = props
  const { source_id, name, address, distance_m, contact } = place
  const tabIndex = isCurrent ? 0 : -1
  const facts = [kindText(place), address].filter(Boolean).join(' · ')
  return (
    <li className="place" data-place={source_id} data-active={isActive ? '' : undefined}>
      <div className="place-head">
        {contact ? (
          <span className="place-known">
            <IconUserCheck aria-hidden="true" />
            <span className="place-name">{name}</span>
          </span>
        ) : (
          <Checkbox
            isSelected={isTicked}
            isDisabled={isDisabled}
            excludeFromTabOrder={!isCurrent}
            onChange={() => onToggle(source_id)}
          >
            <span className="place-name">{name}</span>
          </Checkbox>
        )}
        <span className="place-distance">{distanceText(distance_m)}</span>
      </div>
      {facts === '' ? null : <p className="place-facts">{facts}</p>}
      <Reach place={place} tabIndex={tabIndex} />
      {contact ? (
        <p className="place-facts">
          Already a contact:{' '}
          <RouterLink to="/contacts/$id" params={{ id: contact.id }} className="link place-contact" tabIndex={tabIndex}>
            {contact.name}
          </RouterLink>{' '}
          ({REASON_WORDS[contact.reason]})
        </p>
      ) : null}
    </li>
  )
})

function Reach({ place: { phone, website, email }, tabIndex }: { place: FoundPlace; tabIndex: number }) {
  const call = phoneLink(phone)
  const site = siteLink(website)
  if (phone === null && email === null && !site) return null
  return (
    <p className="place-facts place-reach">
      {phone === null ? null : call ? (
        <OuterLink href={call} tabIndex={tabIndex}>
          {phone}
        </OuterLink>
      ) : (
        <span>{phone}</span>
      )}
      {site ? (
        <OuterLink href={site.href} tabIndex={tabIndex}>
          {site.text}
        </OuterLink>
      ) : null}
      {email === null ? null : (
        <OuterLink href={`mailto:${encodeURI(email)}`} tabIndex={tabIndex}>
          {email}
        </OuterLink>
      )}
    </p>
  )
}
