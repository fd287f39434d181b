/** Every page with its path. The code of a page is fetched when it is opened, or when a link to it is hovered. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { ApiFailure, get } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import { contactPageQuery } from '../contact/contact-query.ts'
import { contactsSearch } from '../contacts/list-query.ts'
import { prospectingSearch } from '../prospecting/prospecting-search.ts'
import { pageChanged } from './page-heading.ts'
import { PageFailure, PageNotFound, PagePending } from './page-states.tsx'
import { sessionQuery } from './session.ts'
import { SettingsLayout } from './settings-layout.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: PageNotFound })

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('../set-up/set-up-page.tsx'), 'SetUpPage'),
})
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { to?: string } =>
    typeof search.to === 'string' ? { to: search.to } : {},
  component: lazyRouteComponent(() => import('../sign-in/sign-in-page.tsx'), 'SignInPage'),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../sign-in/invitation-page.tsx'), 'InvitationPage'),
})
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('../sign-in/reset-page.tsx'), 'ResetPage'),
})

/** Everything that needs somebody signed in. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: ({ location }) => signedIn(location.href),
  errorComponent: PageFailure,
})

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/contacts', replace: true })
  },
})
const contacts = createRoute({
  getParentRoute: () => shell,
  path: '/contacts',
  validateSearch: contactsSearch,
  component: lazyRouteComponent(() => import('../contacts/contacts-page.tsx'), 'ContactsPage'),
})
const contact = createRoute({
  getParentRoute: () => shell,
  path: '/contacts/$id',
  // Not waited for: what a list knows of the contact is shown meanwhile.
  loader: ({ params }) => void queryClient.prefetchQuery(contactPageQuery(params.id)),
  component: lazyRouteComponent(() => import('../contact/contact-page.tsx'), 'ContactPage'),
})
const deals = createRoute({
  getParentRoute: () => shell,
  path: '/deals',
  component: lazyRouteComponent(() => import('../deals/deals-page.tsx'), 'DealsPage'),
})
const tasks = createRoute({
  getParentRoute: () => shell,
  path: '/tasks',
  component: lazyRouteComponent(() => import('../tasks/tasks-page.tsx'), 'TasksPage'),
})
const prospecting = createRoute({
  getParentRoute: () => shell,
  path: '/prospecting',
  validateSearch: prospectingSearch,
  component: lazyRouteComponent(() => import('../prospecting/prospecting-page.tsx'), 'ProspectingPage'),
})
const imports = createRoute({
  getParentRoute: () => shell,
  path: '/imports',
  component: lazyRouteComponent(() => import('../imports/imports-page.tsx'), 'ImportsPage'),
})
const importOne = createRoute({
  getParentRoute: () => shell,
  path: '/imports/$id',
  component: lazyRouteComponent(() => import('../imports/import-page.tsx'), 'ImportPage'),
})

const settings = createRoute({ getParentRoute: () => shell, path: '/settings', component: SettingsLayout })
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/organisation', replace: true })
  },
})
const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('../api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
})
const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})
const webhook = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('../webhooks/webhook-page.tsx'), 'WebhookPage'),
})
const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyRouteComponent(() => import('../members/members-page.tsx'), 'MembersPage'),
})
const organisation = createRoute({
  getParentRoute: () => settings,
  path: '/organisation',
  component: lazyRouteComponent(() => import('../organisation/organisation-page.tsx'), 'OrganisationPage'),
})
const you = createRoute({
  getParentRoute: () => settings,
  path: '/you',
  component: lazyRouteComponent(() => import('../you/you-page.tsx'), 'YouPage'),
})

const routeTree = root.addChildren([
  setUp,
  signIn,
  invitation,
  reset,
  shell.addChildren([
    home,
    contacts,
    contact,
    deals,
    tasks,
    prospecting,
    imports,
    importOne,
    settings.addChildren([settingsHome, apiKeys, webhooks, webhook, members, organisation, you]),
  ]),
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadDelay: 60,
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: PageNotFound,
  scrollRestoration: true,
})

// The code of the first page, beside the question who is signed in instead of after its answer.
for (const route of router.getMatchedRoutes(window.location.pathname)[0]) {
  void router.loadRouteChunk(route)?.catch(() => {})
}

router.subscribe('onResolved', ({ pathChanged }) => {
  if (pathChanged) pageChanged()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** Goes to sign-in, or to the set-up where there is no org yet; comes back to `href`. */
async function signedIn(href: string): Promise<void> {
  try {
    await queryClient.ensureQueryData(sessionQuery)
  } catch (err) {
    if (!(err instanceof ApiFailure) || err.code !== 'not_signed_in') throw err
    const { needed } = await get<{ needed: boolean }>('/setup')
    if (needed) throw redirect({ to: '/setup' })
    throw redirect({ to: '/sign-in', search: href === '/' ? {} : { to: href } })
  }
}
