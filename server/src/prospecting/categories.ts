/** The kinds of places that can be searched for, and how the sources say them. */

export const CATEGORIES = [
  'cafe',
  'restaurant',
  'fast_food',
  'shop',
  'office',
  'craft',
  'hotel',
  'health',
  'other',
] as const

export type Category = (typeof CATEGORIES)[number]

/** A tag of OpenStreetMap: a key with the values that count, or with any value where none are listed. */
export interface OsmTag {
  key: string
  values?: readonly string[]
}

interface CategoryWords {
  osm: readonly OsmTag[]
  /** Words of Overture Maps and of hand-made lists. A word that begins with `*` stands for the end of one. */
  words: readonly string[]
}

/**
 * What each category is in OpenStreetMap (https://wiki.openstreetmap.org/wiki/Map_features) and in Overture Maps
 * (https://docs.overturemaps.org/schema/concepts/by-theme/places/). A place with tags of several is of the first.
 */
export const CATEGORY_WORDS: Record<Category, CategoryWords> = {
  cafe: {
    osm: [{ key: 'amenity', values: ['cafe'] }],
    words: ['cafe', 'coffee_shop', 'tea_room', 'coffee_roastery', 'internet_cafe', '*_cafe'],
  },
  restaurant: {
    osm: [{ key: 'amenity', values: ['restaurant', 'food_court', 'biergarten'] }],
    words: ['restaurant', 'bistro', 'diner', 'steakhouse', 'pizzeria', 'food_court', '*_restaurant'],
  },
  fast_food: {
    osm: [{ key: 'amenity', values: ['fast_food'] }],
    words: ['fast_food', 'fast_food_restaurant', 'food_stand', 'food_truck', 'sandwich_shop', 'snack_bar'],
  },
  hotel: {
    osm: [{ key: 'tourism', values: ['hotel', 'hostel', 'guest_house', 'motel', 'apartment', 'chalet'] }],
    words: [
      ...['hotel', 'hostel', 'motel', 'guest_house', 'inn', 'bed_and_breakfast', 'accommodation', 'resort'],
      ...['holiday_rental_home', 'lodge', '*_hotel', '*_resort'],
    ],
  },
  health: {
    osm: [
      { key: 'amenity', values: ['doctors', 'dentist', 'clinic', 'hospital', 'pharmacy', 'veterinary'] },
      { key: 'healthcare' },
    ],
    words: [
      ...['health', 'health_and_medical', 'doctor', 'doctors', 'dentist', 'clinic', 'hospital', 'pharmacy'],
      ...['veterinarian', 'veterinary', 'medical_center', 'chiropractor', 'physical_therapy', 'optometrist'],
      ...['psychologist', 'pediatrician', 'dermatologist', 'orthodontist', '*_clinic', '*_doctor', '*_dentist'],
    ],
  },
  craft: {
    osm: [{ key: 'craft' }],
    words: [
      ...['craft', 'carpenter', 'electrician', 'plumbing', 'plumber', 'painter', 'painting', 'roofing', 'tailor'],
      ...['contractor', 'locksmith', 'home_service', 'cabinet_maker', 'brewery', 'winery', 'upholstery', 'masonry'],
      ...['heating_and_air_conditioning', '*_contractor', '*_repair', '*_contracting'],
    ],
  },
  office: {
    osm: [{ key: 'office' }],
    words: [
      ...['office', 'professional_services', 'lawyer', 'attorney', 'accountant', 'notary_public', 'real_estate'],
      ...['real_estate_agent', 'insurance_agency', 'advertising_agency', 'employment_agencies', 'architect'],
      ...['software_development', 'financial_service', 'business_management_services', 'corporate_office', 'coworking'],
      ...['coworking_space', 'travel_services', '*_agency', '*_lawyer', '*_law', '*_consulting', '*_office'],
    ],
  },
  shop: {
    osm: [{ key: 'shop' }],
    words: [
      ...['shop', 'store', 'retail', 'shopping', 'supermarket', 'bakery', 'butcher', 'florist', 'boutique', 'market'],
      ...['shopping_center', 'car_dealer', 'optician', 'hairdresser', 'hair_salon', 'beauty_salon', 'barber'],
      ...['*_store', '*_shop', '*_market', '*_dealer', '*_salon', '*_retail'],
    ],
  },
  other: {
    osm: [
      {
        key: 'amenity',
        values: [
          ...['pub', 'bar', 'ice_cream', 'nightclub', 'bank', 'fuel', 'car_wash', 'car_rental', 'driving_school'],
          ...[
            'cinema',
            'theatre',
            'events_venue',
            'kindergarten',
            'language_school',
            'music_school',
            'coworking_space',
          ],
        ],
      },
      {
        key: 'leisure',
        values: ['fitness_centre', 'sports_centre', 'dance', 'bowling_alley', 'marina', 'escape_game'],
      },
      { key: 'tourism', values: ['museum', 'gallery', 'camp_site', 'attraction'] },
    ],
    words: ['other'],
  },
}

/** Values by which OpenStreetMap says that there is none of a kind. */
const NOTHING = new Set(['no', 'none', 'vacant', 'disused'])

/**
 * What kind of place the tags of OpenStreetMap tell of.
 *
 * @returns the category, `other` for what is none of them, and the value of the tag that tells it
 */
export function categoryOfTags(tags: Readonly<Record<string, unknown>>): {
  category: Category | null
  text: string | null
} {
  for (const category of CATEGORIES_BY_RANK) {
    for (const { key, values } of CATEGORY_WORDS[category].osm) {
      const value = tagValue(tags, key)
      const said = value?.split(';').map((one) => one.trim()) ?? []
      const text = said.find((one) => (values ? values.includes(one) : !NOTHING.has(one)))
      if (text) return { category, text: text === 'yes' ? key : text }
    }
  }
  const text = OTHER_KEYS.map((key) => tagValue(tags, key)).find((value) => value && !NOTHING.has(value))
  return { category: text ? 'other' : null, text: text ?? null }
}

const CATEGORIES_BY_RANK = Object.keys(CATEGORY_WORDS) as Category[]

const OTHER_KEYS = ['amenity', 'leisure', 'tourism', 'historic', 'club', 'emergency', 'man_made', 'building']

function tagValue(tags: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = Object.hasOwn(tags, key) ? tags[key] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * What kind of place a word tells of, as Overture Maps or a list made by hand has it.
 *
 * @returns `other` for an unknown word, null for none
 */
export function categoryOfWord(word: string | null): Category | null {
  if (word === null) return null
  const name = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  if (name === '') return null
  const known = CATEGORY_OF_WORD.get(name) ?? CATEGORY_OF_WORD.get(name.replace(/s$/, ''))
  return known ?? ENDINGS.find(({ ending }) => name.endsWith(ending))?.category ?? 'other'
}

const WORDS = CATEGORIES_BY_RANK.flatMap((category) =>
  CATEGORY_WORDS[category].words.map((word) => ({ category, word })),
)

const ENDINGS = WORDS.filter(({ word }) => word.startsWith('*')).map(({ category, word }) => ({
  category,
  ending: word.slice(1),
}))

const CATEGORY_OF_WORD: ReadonlyMap<string, Category> = new Map([
  ...osmValues(),
  ...WORDS.filter(({ word }) => !word.startsWith('*')).map(({ word, category }): [string, Category] => [
    word,
    category,
  ]),
])

function osmValues(): [string, Category][] {
  return CATEGORIES_BY_RANK.flatMap((category) =>
    CATEGORY_WORDS[category].osm.flatMap(({ values = [] }) =>
      values.map((value): [string, Category] => [value, category]),
    ),
  )
}
