/** What is to be reached: the one place where it is written down. */

export interface Target {
  work: string
  /** What the figure is, with its unit. */
  figure: string
  /** The figure is to be no more than this, or no less. */
  most?: number
  least?: number
}

export const TARGETS = {
  'get.cpu': { work: 'GET a contact', figure: '× the processor time of a bare server', most: 2.3 },
  'list.bare': {
    work: 'list of 50, by label and stage, with its count',
    figure: 'of the bare server’s rate',
    least: 0.2,
  },
  'search.rare': { work: 'search, a rare term', figure: 'ms of processor', most: 1 },
  'search.usual': { work: 'search, a usual term', figure: 'ms of processor', most: 5 },
  'search.commonest': { work: 'search, the commonest term', figure: 'ms of processor', most: 20 },
  'search.commonest-many': {
    work: 'search, the commonest term, among 1,000,000',
    figure: 'ms of processor',
    most: 150,
  },
  'post.bare': {
    work: 'POST, durable, an event and two deliveries',
    figure: 'of the bare statements’ rate',
    least: 0.6,
  },
  'patch.bare': { work: 'PATCH, the same', figure: 'of the bare statements’ rate', least: 0.6 },
  'webhooks.rate': { work: 'webhooks to 20 receivers', figure: 'deliveries/s', least: 5_000 },
  'webhooks.bare': { work: 'webhooks to 20 receivers', figure: 'of a bare undici loop', least: 0.6 },
  'webhooks.hanging': { work: 'webhooks, one in ten receivers hangs', figure: 'of the rate without', least: 0.9 },
  'import.rate': { work: 'import with events on', figure: 'rows/s', least: 15_000 },
  'import.memory': { work: 'import with events on', figure: 'MiB at most', most: 200 },
  'import.p99': { work: 'other requests during an import', figure: 'ms, p99', most: 50 },
  'export.rate': { work: 'export as CSV', figure: 'rows/s', least: 150_000 },
  'export.memory': { work: 'export as CSV', figure: 'MiB more than before', most: 50 },
  'growth.contacts': { work: '1,000 → 1,000,000 contacts', figure: '× processor time, the worst of five', most: 1.3 },
  'growth.orgs': { work: '1 → 10,000 orgs', figure: '× processor time, the worst of five', most: 1.2 },
  'start.clean': { work: 'start with 1,000,000 contacts', figure: 's to the first answer', most: 0.45 },
  'start.killed': { work: 'start after SIGKILL', figure: 's to the first answer', most: 1 },
  'memory.rest': { work: 'memory at rest with 1,000,000 contacts', figure: 'MiB', most: 130 },
  'memory.load': { work: 'memory under every load', figure: 'MiB, the worst', most: 250 },
  'event-loop.held': { work: 'event loop under every load', figure: 'ms of processor held at most', most: 50 },
  'deep.offset': { work: 'offset 900,000', figure: 'ms of processor', most: 10 },
} as const satisfies Record<string, Target>

/** Held against the peers' figures, in a run of their own. */
export const PEER_TARGETS = {
  'pocketbase.get': { work: 'GET a contact', figure: '× PocketBase’s rate', least: 5 },
  'pocketbase.list': {
    work: 'list of 50, filtered, with its count',
    figure: '× PocketBase’s rate, without count',
    least: 5,
  },
  'pocketbase.search': { work: 'search with its count', figure: '× PocketBase’s rate', least: 5 },
  'pocketbase.create': { work: 'POST with event', figure: '× PocketBase’s rate', least: 3 },
  'pocketbase.patch': { work: 'PATCH with event', figure: '× PocketBase’s rate', least: 2.5 },
  'postgrest.get-cpu': {
    work: 'PostgreSQL, get',
    figure: '× PostgREST’s processor time, database included',
    most: 0.3,
  },
  'postgrest.list-cpu': {
    work: 'PostgreSQL, list',
    figure: '× PostgREST’s processor time, database included',
    most: 0.5,
  },
  'postgrest.search-cpu': {
    work: 'PostgreSQL, search',
    figure: '× PostgREST’s processor time, database included',
    most: 0.8,
  },
  'postgrest.rate': { work: 'PostgreSQL, the worst of five', figure: '× PostgREST’s rate', least: 1 },
  'parse.rate': { work: 'PostgreSQL, the worst of five', figure: '× Parse Server’s rate', least: 3 },
} as const satisfies Record<string, Target>

const ALL: Record<string, Target> = { ...TARGETS, ...PEER_TARGETS }

export type Figures = Partial<Record<keyof typeof TARGETS | keyof typeof PEER_TARGETS, number>>

/** Figures with what was to be reached, in the order of the table above. */
export function judged(figures: Figures): { target: Target; value: number; isMet: boolean }[] {
  return Object.entries(ALL).flatMap(([name, target]) => {
    const value = figures[name as keyof Figures]
    return value === undefined ? [] : [{ target, value, isMet: isMet(target, value) }]
  })
}

function isMet({ most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY }: Target, value: number): boolean {
  return value <= most && value >= least
}
