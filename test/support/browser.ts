/** The web app as a person meets it: a real server, a real Chromium, and pages that fail the test when they misbehave. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../../server/src/members/schema.ts'
import { WAIT_MS_MAX } from './browser-checks.ts'
import { type Guards, guard } from './browser-guards.ts'
import { launchChromium, missingChromium } from './chromium.ts'
import { type Engine, engines } from './databases.ts'
import { Kith, type Settings } from './kith.ts'
import type { Org } from './org.ts'
import type { Ui } from './ui.ts'

export interface PageOptions {
  /** Whose page it is: a new member of this org, already signed in. Nobody's without it. */
  org?: Org
  /** Admin unless said otherwise. */
  role?: Role
  /** Somebody who is there already (`kith.ui(org, …)`), instead of a new member. */
  person?: Ui
  /** 1366 unless said otherwise; 375 and 320 are phones. */
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  /** Faults of the page that this test wants. */
  allow?: RegExp[]
  /** Anything else that Playwright can set. */
  context?: BrowserContextOptions
}

/** A page of Playwright's, at the server's address (`page.goto('/contacts')`). */
export interface GuardedPage extends Page {
  guards: Guards
  /** Who is signed in. */
  person: Ui | undefined
}

const HEIGHTS: Record<number, number> = { 1366: 850, 375: 812, 320: 640 }
const PICTURES = join(import.meta.dirname, '../../node_modules/.cache/kith/failed-pages')

/**
 * Defines tests with a browser and a server that they share; each makes an org of its own.
 *
 * Where there can be no browser at all, they are one skipped test that says why.
 */
export function withBrowser(
  define: (browser: TestBrowser, kith: Kith) => void,
  { engine = 'sqlite', settings = {} }: { engine?: Engine['name']; settings?: Settings } = {},
): void {
  const missing = missingChromium()
  if (missing) return void test('needs a browser', { skip: missing })
  describe('in a browser', () => {
    const kith = new Kith(engines.find(({ name }) => name === engine)!, settings)
    const browser = new TestBrowser()
    before(() => Promise.all([kith.open(), browser.open()]))
    after(async () => {
      await browser.close()
      await kith.close()
    })
    define(browser, kith)
  })
}

export class TestBrowser {
  #browser: Browser | undefined

  async open(args?: string[]): Promise<void> {
    this.#browser = await launchChromium(args)
  }

  async close(): Promise<void> {
    await this.#browser?.close()
  }

  /**
   * A page in a browser profile of its own, closed when the test has ended. The test fails when the page, or one that
   * it has opened, did what no page may do.
   */
  async page(t: TestContext, kith: Kith, options: PageOptions = {}): Promise<GuardedPage> {
    const { org, role = 'admin', allow = [] } = options
    const person = options.person ?? (org && (await kith.ui(org, role)))
    const context = await this.#browser!.newContext(contextOptions(kith, options))
    context.setDefaultTimeout(WAIT_MS_MAX)
    if (person) await context.addCookies([{ ...nameAndValue(person.cookie), url: kith.url }])
    const guards = await guard(context)
    guards.allow(...allow)
    const page = await context.newPage()
    t.after(async () => {
      if (t.error) await showFailure(t, page)
      await context.close()
      const faults = guards.faults()
      if (faults.length > 0) throw new Error(`The page did what no page may do:\n${faults.join('\n')}`)
    })
    return Object.assign(page, { guards, person })
  }
}

function contextOptions(kith: Kith, { width = 1366, height, theme = 'light', context }: PageOptions) {
  return {
    baseURL: kith.url,
    viewport: { width, height: height ?? HEIGHTS[width] ?? 800 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    hasTouch: width < 640,
    ...context,
  } satisfies BrowserContextOptions
}

function nameAndValue(cookie: string) {
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
  return { name: name!, value: value! }
}

/** Says what was on the page, and keeps a picture of it. */
async function showFailure(t: TestContext, page: Page) {
  try {
    mkdirSync(PICTURES, { recursive: true })
    const path = join(PICTURES, `${t.fullName.replaceAll(/\W+/g, '-').slice(0, 150)}.png`)
    await page.screenshot({ path, timeout: 10_000 })
    const seen = await page.locator('body').ariaSnapshot({ timeout: 10_000 })
    console.error(`At ${page.url()} (picture: ${path})\n${seen.slice(0, 6_000)}`)
  } catch (err) {
    console.error(`What was on the page cannot be shown: ${(err as Error).message}`)
  }
}
