/** Every menu and dialog while it is open, and every page whose records cannot be had: accessible, and nothing cut off. */
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type GuardedPage, withBrowser } from '../support/browser.ts'
import { assertNoSideScroll, axe, settled } from '../support/browser-checks.ts'
import { addFilledOrg, type Filled } from '../support/filled-kith.ts'

/** For all of it; each part ends by itself. */
const LONG = { timeout: 900_000 }

type Role = Parameters<Page['getByRole']>[0]

/**
 * What is pressed in turn on a page, by the beginning of its name; the last opens what is looked at. `menuitem:Delete`;
 * without a role, a button of the page; `shell:` one beside it; `label:` what a check box is drawn by.
 */
type Opening = [path: string, presses: string[]]

/** `$…` is of the filled org. */
const EVERYWHERE: Opening[] = [
  ['/contacts', ['New contact']],
  ['/contacts/$contactId', ['More']],
  ['/contacts/$contactId', ['Show as API call']],
  ['/contacts/$contactId', ['More', 'menuitem:Delete contact']],
  ['/contacts/$contactId', ['Stage negotiation. Change stage']],
  ['/contacts/$contactId', ['Edit email: chidi']],
  ['/contacts/$contactId', ['Edit tags: manufacturing']],
  ['/contacts/$contactId', ['Add task']],
  ['/contacts/$contactId', ['Edit note']],
  ['/contacts/$contactId', ['Delete note']],
  ['/contacts/$contactId', ['tab:Tasks']],
  ['/contacts/$contactId', ['tab:Webhook deliveries']],
  ['/deals', ['Show as API call']],
  ['/deals', ['Set a stage']],
  ['/deals', ['More for Nadia Almeida']],
  ['/deals', ['Show chart']],
  ['/deals', ['Show chart', 'Show as table']],
  ['/tasks', ['More for Send the offer']],
  ['/tasks', ['Send the offer to Hana Jansen']],
  ['/tasks', ['Overdue: 3 days ago']],
  ['/tasks', ['All categories']],
  ['/prospecting', ['Use your own file']],
  ['/prospecting', ['Search this area', 'label:Select all']],
  ['/imports', ['Undo import of autumn-fair.csv']],
  ['/imports/$importId', ['Edit row 4']],
  ['/imports/$importId', ['Remove file']],
  ['/imports/$importId', ['Back']],
  ['/settings/organisation', ['Remove lead']],
  ['/settings/organisation', ['Add stage']],
  ['/settings/organisation', ['Show as table']],
  ['/settings/members', ['Invite']],
  ['/settings/members', ['Actions for Priya Berger']],
  ['/settings/members', ['Actions for Priya Berger', 'menuitem:Remove']],
  ['/settings/members', ['Actions for Priya Berger', 'menuitem:Change role']],
  ['/settings/members', ['Actions for Priya Berger', 'menuitem:Reset password']],
  ['/settings/api-keys', ['Create key']],
  ['/settings/api-keys', ['Revoke Quarterly report']],
  ['/settings/webhooks', ['Add webhook']],
  ['/settings/webhooks/$webhookId', ['Send test']],
  ['/settings/webhooks/$webhookId', ['Edit']],
  ['/settings/webhooks/$webhookId', ['More']],
  ['/settings/webhooks/$webhookId', ['More', 'menuitem:New secret']],
  ['/settings/webhooks/$webhookId', ['More', 'menuitem:Delete']],
  ['/settings/webhooks/$webhookId', ['option:Failed']],
  ['/settings/webhooks/$webhookId', ['option:Failed', 'tab:Response']],
]

const WIDE: Opening[] = [
  ['/contacts', ['Show as API call']],
  ['/contacts', ['Columns']],
  ['/contacts', ['Export CSV']],
  ['/contacts', ['Stage']],
  ['/contacts', ['Label']],
  ['/deals', ['radio:Table']],
  ['/deals', ['shell:Maren Lindqvist: menu']],
]

const NARROW: Opening[] = [
  ['/contacts', ['Filters']],
  ['/tasks', ['shell:More']],
]

const WITH_RECORDS = [
  ...['/contacts', '/contacts/$contactId', '/deals', '/tasks', '/prospecting', '/imports', '/imports/$importId'],
  ...['/settings/members', '/settings/api-keys', '/settings/webhooks', '/settings/webhooks/$webhookId'],
]

withBrowser((browser, kith) => {
  let filled: Filled
  before(async () => {
    filled = await addFilledOrg(kith)
  })
  const goTo = async (page: GuardedPage, path: string) => {
    await page.goto(path.replace(/\$(\w+)/, (_, name: 'contactId') => filled[name]))
    await settled(page)
  }

  for (const { theme, width, openings } of [
    { theme: 'light', width: 1366, openings: [...EVERYWHERE, ...WIDE] },
    { theme: 'dark', width: 320, openings: [...EVERYWHERE, ...NARROW] },
  ] as const) {
    test(`menus and dialogs, ${theme} at ${width} px`, LONG, async (t) => {
      const page = await browser.page(t, kith, { person: filled.person, theme, width })
      for (const [path, presses] of openings) {
        const what = `${path}: ${presses.join(', ')}`
        await t.test(what, async () => {
          await goTo(page, path)
          for (const wanted of presses) await pressIt(page, wanted)
          await settled(page)
          await assertNoSideScroll(page)
          await axe(page, what)
        })
      }
    })
  }

  test('a page whose records the server fails to give says so, and tries again when told to', LONG, async (t) => {
    const page = await browser.page(t, kith, { person: filled.person, allow: [/^answer 500/] })
    const body = { error: 'internal', message: 'The server failed to do this.' }
    for (const path of WITH_RECORDS) {
      await t.test(path, async () => {
        await page.route(/\/ui\/(?!session|stream)/, (route) => route.fulfill({ status: 500, json: body }))
        await goTo(page, path)
        const again = page.getByRole('main').getByRole('button', { name: 'Try again' }).first()
        await again.waitFor()
        await axe(page, `${path} failing`)
        await page.unrouteAll({ behavior: 'wait' })
        await again.click()
        await again.waitFor({ state: 'detached' })
      })
    }
  })
})

async function pressIt(page: Page, wanted: string) {
  const [, kind = 'button', name] = /^(?:([a-z]+):)?(.*)$/.exec(wanted)!
  if (kind === 'label') return page.locator('label', { hasText: new RegExp(`^${name}`) }).click()
  const isOfPage = kind === 'button'
  const role = (kind === 'shell' ? 'button' : kind) as Role
  const scope = isOfPage ? page.getByRole('main') : page
  await scope
    .getByRole(role, { name: new RegExp(`^${name}`) })
    .first()
    .click()
}
