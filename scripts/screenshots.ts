/**
 * `npm run screenshots`: pictures of every page into docs/screenshots, from a server of its own with made-up records:
 * light, dark, and on a phone. `npm run screenshots -- deals` takes those with that in their name.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium } from '../test/support/chromium.ts'
import { type Filled, openFilledKith } from '../test/support/filled-kith.ts'

type Look = 'light' | 'dark' | 'phone'

const FOLDER = join(import.meta.dirname, '../docs/screenshots')
const LOOKS: Record<Look, BrowserContextOptions> = {
  light: { viewport: { width: 1366, height: 850 }, colorScheme: 'light' },
  dark: { viewport: { width: 1366, height: 850 }, colorScheme: 'dark' },
  phone: { viewport: { width: 375, height: 812 }, colorScheme: 'light', hasTouch: true, isMobile: true },
}

/** Where each picture is taken, and what is done there before. */
const PICTURES: Record<
  string,
  { path: (filled: Filled) => string; prepare?: (page: Page) => Promise<void>; isOutside?: true }
> = {
  'sign-in': { path: () => '/sign-in', isOutside: true },
  contacts: { path: () => '/contacts' },
  contact: { path: ({ contactId }) => `/contacts/${contactId}` },
  deals: { path: () => '/deals' },
  tasks: { path: () => '/tasks' },
  prospecting: { path: () => '/prospecting', prepare: findPlaces },
  imports: { path: () => '/imports' },
  import: { path: ({ importId }) => `/imports/${importId}` },
  'api-keys': { path: () => '/settings/api-keys' },
  webhooks: { path: () => '/settings/webhooks' },
  webhook: { path: ({ webhookId }) => `/settings/webhooks/${webhookId}` },
  members: { path: () => '/settings/members' },
  organisation: { path: () => '/settings/organisation' },
  you: { path: () => '/settings/you' },
  palette: { path: () => '/contacts', prepare: openPalette },
}

const filters = process.argv.slice(2)
const filled = await openFilledKith()
const browser = await launchChromium()
try {
  mkdirSync(FOLDER, { recursive: true })
  for (const look of Object.keys(LOOKS) as Look[]) await takeAll(browser, look)
} finally {
  await browser.close()
  await filled.close()
}

async function takeAll(browser: Browser, look: Look) {
  const options = {
    baseURL: filled.kith.url,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  } as const
  const inside = await browser.newContext({ ...options, ...LOOKS[look] })
  const [, name, value] = /^([^=]+)=(.*)$/.exec(filled.person.cookie)!
  await inside.addCookies([{ name: name!, value: value!, url: filled.kith.url }])
  const outside = await browser.newContext({ ...options, ...LOOKS[look] })
  for (const [picture, { path, prepare, isOutside }] of Object.entries(PICTURES)) {
    const file = `${picture}-${look}.png`
    if (filters.length > 0 && !filters.some((filter) => file.includes(filter))) continue
    const page = await (isOutside ? outside : inside).newPage()
    await page.goto(path(filled))
    await drawn(page)
    await prepare?.(page)
    await page.screenshot({ path: join(FOLDER, file), animations: 'disabled', caret: 'hide' })
    await page.close()
    console.log(file)
  }
  await outside.close()
  await inside.close()
}

/** Nothing has been asked for, and nothing has been changed, for half a second. */
async function drawn(page: Page) {
  await page.locator('h1').first().waitFor()
  await page.evaluate(`new Promise((done) => {
    const again = () => { clearTimeout(timer); timer = setTimeout(done, 500) }
    let timer = setTimeout(done, 500)
    new MutationObserver(again).observe(document.body, { subtree: true, childList: true, attributes: true })
    setTimeout(done, 10_000)
  })`)
}

async function findPlaces(page: Page) {
  await page.getByRole('button', { name: 'Search this area' }).click()
  const boxes = page.getByRole('list', { name: 'Places' }).locator('label')
  for (const at of [0, 1, 3]) await boxes.nth(at).click()
  await drawn(page)
}

async function openPalette(page: Page) {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('de')
  await drawn(page)
}
