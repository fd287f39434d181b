import type { PlaceSource } from '@server/prospecting/schema.ts'
import { OuterLink } from '../ui/link.tsx'
import { isShareAlike } from './place-words.ts'

/** Under the list, always in sight: who has gathered the places, and what their licence asks for. */
export function Attribution({ source }: { source: PlaceSource }) {
  return (
    <p className="prospecting-attribution">
      <Credit source={source} />
      {isShareAlike(source) ? '. Lists made from OpenStreetMap that you publish must be shared under ODbL.' : null}
    </p>
  )
}

/** On the map: who has gathered the places. */
export function CreditLine({ source }: { source: PlaceSource }) {
  return (
    <p className="prospecting-attribution">
      Places: <Credit source={source} />
    </p>
  )
}

function Credit({ source: { attribution, attribution_url } }: { source: PlaceSource }) {
  return attribution_url ? <OuterLink href={attribution_url}>{attribution}</OuterLink> : attribution
}
