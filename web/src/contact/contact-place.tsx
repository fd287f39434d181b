import type { ContactPlace as Place } from '@server/prospecting/add-schema.ts'
import { Link, OuterLink } from '../ui/link.tsx'

const STREET_ZOOM = 17

/** Where a contact was found on a map, and who is to be named for what is known of it. */
export function ContactPlace({ place }: { place: Place }) {
  const { source, licence, attribution, attribution_url, website, latitude, longitude } = place
  return (
    <section className="contact-place" aria-labelledby="contact-place">
      <h2 className="contact-field-name" id="contact-place">
        Place
      </h2>
      {website ? (
        <p>
          <OuterLink href={website}>{website}</OuterLink>
        </p>
      ) : null}
      <p>
        <Link to="/prospecting" search={{ lat: latitude, lon: longitude, zoom: STREET_ZOOM, contacts: true }}>
          Show on the map
        </Link>
      </p>
      <p className="secondary small">
        Found in {source}, {attribution_url ? <OuterLink href={attribution_url}>{attribution}</OuterLink> : attribution}
        {licence ? ` (${licence})` : ''}.
      </p>
    </section>
  )
}
