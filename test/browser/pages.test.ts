/** What holds on every page: no axe violation, one heading, its own title, no scrolling sideways, in every dress. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type GuardedPage, withBrowser } from '../support/browser.ts'
import { assertNoSideScroll, axe, eventually, settled } from '../support/browser-checks.ts'
import { addFilledOrg, type Filled } from '../support/filled-kith.ts'
import type { Org } from '../support/org.ts'

/** For all of it; each part ends by itself. */
const LONG = { timeout: 900_000 }

/** Nobody need be signed in. */
const OUTSIDE: [path: string, title: RegExp][] = [
  ['/sign-in', /^Sign in · Kith$/],
  ['/invitation#nothing', /Kith$/],
  ['/reset#nothing', /Kith$/],
]

/** `$…` is of the filled org. */
const INSIDE: [path: string, title: RegExp][] = [
  ['/contacts', /^Contacts · Kith$/],
  ['/contacts/$contactId', /^.+ · Contacts · Kith$/],
  ['/contacts/0196ceb0-5c1e-7a3d-8f00-2b1d9c4e7a10', /Kith$/],
  ['/deals', /^Deals · Kith$/],
  ['/tasks', /^Tasks · Kith$/],
  ['/prospecting', /^Prospecting · Kith$/],
  ['/imports', /^Imports · Kith$/],
  ['/imports/$importId', /^.+ · Imports · Kith$/],
  ['/settings/api-keys', /^API keys · Settings · Kith$/],
  ['/settings/webhooks', /^Webhooks · Settings · Kith$/],
  ['/settings/webhooks/$webhookId', /^.+ · Webhooks · Kith$/],
  ['/settings/members', /^Members · Settings · Kith$/],
  ['/settings/organisation', /^Organisation · Settings · Kith$/],
  ['/settings/you', /^You · Settings · Kith$/],
  ['/nowhere', /^Page not found · Kith$/],
]

const DRESSES = [
  { theme: 'light', width: 1366 },
  { theme: 'dark', width: 1366 },
  { theme: 'light', width: 320 },
  { theme: 'dark', width: 320 },
] as const

withBrowser((browser, kith) => {
  let filled: Filled
  let empty: Org
  before(async () => {
    filled = await addFilledOrg(kith)
    empty = await kith.org({ name: 'Empty' })
  })

  for (const { theme, width } of DRESSES) {
    test(`every page with records in it, ${theme} at ${width} px`, LONG, async (t) => {
      const page = await browser.page(t, kith, { person: filled.person, theme, width })
      for (const [path, title] of INSIDE) {
        await t.test(path, async () => {
          await page.goto(path.replace(/\$(\w+)/, (_, name: 'contactId') => filled[name]))
          await holds(page, title)
        })
      }
    })
  }

  test('no page asks for the same thing twice', LONG, async (t) => {
    const page = await browser.page(t, kith, { person: filled.person, allow: [/ui\/stream|ERR_FAILED/] })
    // What it tells would be a reason to ask again.
    await page.route('**/ui/stream', (route) => route.abort())
    let asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/ui/') && pathname !== '/ui/stream') asked.push(`${pathname}${search}`)
    })
    for (const [path] of INSIDE) {
      asked = []
      await page.goto(path.replace(/\$(\w+)/, (_, name: 'contactId') => filled[name]))
      await settled(page)
      assert.equal(asked.includes('/ui/session'), path !== '/nowhere', path)
      assert.deepEqual(asked, [...new Set(asked)], path)
    }
  })

  for (const { theme, width } of [DRESSES[0], DRESSES[3]]) {
    test(`every page without a record, ${theme} at ${width} px`, LONG, async (t) => {
      const page = await browser.page(t, kith, { org: empty, theme, width })
      for (const [path, title] of INSIDE) {
        if (path.includes('$')) continue
        await t.test(path, async () => {
          await page.goto(path)
          await holds(page, title)
        })
      }
    })

    test(`the pages outside, ${theme} at ${width} px`, async (t) => {
      const page = await browser.page(t, kith, { theme, width })
      for (const [path, title] of OUTSIDE) {
        await t.test(path, async () => {
          await page.goto('about:blank')
          await page.goto(path)
          await holds(page, title)
        })
      }
    })
  }
})

async function holds(page: GuardedPage, title: RegExp) {
  await settled(page)
  assert.equal(await page.locator('h1').count(), 1, 'one heading of the first level')
  await eventually(`the title is ${title}`, async () => title.test(await page.title()))
  await assertNoSideScroll(page)
  await axe(page)
}
