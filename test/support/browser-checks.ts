/** What is asked of every page of the web app, and the hand that types. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { GuardedPage } from './browser.ts'
import { until } from './until.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Resolves when all that fades has faded: half of the way, contrasts are not those of the page. */
const FADED = `Promise.all(document.getAnimations()
  .filter(({ effect }) => effect && effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished.catch(() => {})))
  .then(() => {})`

/** Generous: a test waits for what it wants to see, and two cores may be busy with other things. */
export const WAIT_MS_MAX = Number(process.env.KITH_TEST_WAIT_MS ?? 40_000)

interface Violation {
  id: string
  help: string
  nodes: { html: string; target: string[]; failureSummary: string }[]
}

/**
 * Fails when axe finds anything on the page as it is now.
 *
 * @param what the page's state, for the message
 * @param except rules that are broken by somebody else's markup
 */
export async function axe(page: Page, what = new URL(page.url()).pathname, except: string[] = []): Promise<void> {
  await page.evaluate(FADED)
  // Handed over by the debugger: the page's policy has no say in it.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  // React Aria hides all else from readers while the list of a combo box is open, and closes it as soon as the focus
  // goes elsewhere: no hidden control can have it.
  const isListOpen = (await page.locator('[role="combobox"][aria-expanded="true"]').count()) > 0
  const off = isListOpen ? [...except, 'aria-hidden-focus'] : except
  const options = {
    runOnly: AXE_TAGS,
    rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
    resultTypes: ['violations'],
  }
  const violations: Violation[] = await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  const said = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, target, failureSummary }) => `${id}: ${help}\n  ${target.join(' ')}\n  ${html}\n  ${failureSummary}`,
    ),
  )
  assert.equal(said.length, 0, `axe at ${what}:\n${said.slice(0, 20).join('\n')}`)
}

/** Waits until the page has its heading, and nothing on it is still being fetched. */
export async function settled(page: GuardedPage): Promise<void> {
  await page.locator('h1').first().waitFor()
  const isStill = async () =>
    page.guards.openRequests() === 0 && (await page.locator('[aria-busy="true"]').count()) === 0
  await eventually(`${page.url()} is settled`, async () => {
    if (!(await isStill())) return false
    // What has just arrived may be about to ask for more.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))')
    return isStill()
  })
}

/** Presses one key or chord after another (`press(page, 'g', 'c')`). */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Waits until this holds for the page, as long as a busy machine may need. */
export function eventually(what: string, look: () => Promise<unknown>): Promise<unknown> {
  return until(what, look, WAIT_MS_MAX)
}

/** Fails when the page can be moved sideways. */
export async function assertNoSideScroll(page: Page): Promise<void> {
  const [content, view] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )
  assert.ok(content <= view, `${page.url()} is ${content} px wide in a window of ${view} px: ${await widest(page)}`)
}

/** What reaches furthest to the right and is not cut off by a box that scrolls by itself. */
function widest(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const isCut = (node) => {
      const { position } = getComputedStyle(node)
      const box = position === 'absolute' ? node.offsetParent : position === 'fixed' ? null : node.parentElement
      if (!box || box === document.body) return false
      return getComputedStyle(box).overflowX !== 'visible' || isCut(box)
    }
    return [...document.body.querySelectorAll('*')]
      .map((node) => ({ node, right: Math.round(node.getBoundingClientRect().right) }))
      .filter(({ node, right }) => right > document.documentElement.clientWidth && !isCut(node))
      .sort((one, other) => other.right - one.right).slice(0, 3)
      .map(({ node, right }) => right + ' px ' + node.outerHTML.slice(0, 200)).join('; ')
  })()`)
}

/** What has the focus, as a screen reader names it: `button "Create key"`. */
export async function focused(page: Page): Promise<string> {
  const line = await page
    .locator('*:focus')
    .first()
    .ariaSnapshot()
    .catch(() => '')
  return line.split('\n')[0]!.replace(/^- /, '').replace(/:$/, '')
}
