/** Tab goes through every page: it shows where it is, is never caught, and is never hidden under something. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type GuardedPage, withBrowser } from '../support/browser.ts'
import { press, settled } from '../support/browser-checks.ts'
import { addFilledOrg, type Filled } from '../support/filled-kith.ts'

/** For all pages; each ends by itself. */
const LONG = { timeout: 900_000 }
/** Enough to be past what is special of a page; long lists go on alike. */
const STOPS_MAX = 40

const PATHS = [
  ...['/contacts', '/contacts/$contactId', '/deals', '/tasks', '/prospecting', '/imports', '/imports/$importId'],
  ...['/settings/organisation', '/settings/members', '/settings/api-keys', '/settings/webhooks'],
  ...['/settings/webhooks/$webhookId', '/settings/you'],
]

interface Stop {
  /** The beginning of its markup. */
  html: string
  isSameAsBefore: boolean
  isOutlined: boolean
  isUncovered: boolean
}

withBrowser((browser, kith) => {
  let filled: Filled
  before(async () => {
    filled = await addFilledOrg(kith)
  })

  for (const width of [1366, 375]) {
    test(`a walk through every page by Tab at ${width} px`, LONG, async (t) => {
      const page = await browser.page(t, kith, { person: filled.person, width })
      for (const path of PATHS) {
        await t.test(path, async () => {
          const walkThrough = async () => {
            await page.goto(path.replace(/\$(\w+)/, (_, name: 'contactId') => filled[name]))
            await settled(page)
            return walk(page)
          }
          // What the server tells meanwhile may draw a page anew under the walk: a fault is there each time.
          const stops = await walkThrough().catch(walkThrough)
          assert.ok(stops.length > 5, `only ${stops.length} stops`)
        })
      }
    })
  }
})

async function walk(page: GuardedPage): Promise<Stop[]> {
  const stops: Stop[] = []
  while (stops.length < STOPS_MAX) {
    await press(page, 'Tab')
    const stop = await currentStop(page)
    if (!stop) break
    const where = `stop ${stops.length + 1}: ${stop.html}`
    assert.ok(!stop.isSameAsBefore, `Tab stays at ${where}`)
    assert.ok(stop.isOutlined, `nothing shows the focus at ${where}`)
    assert.ok(stop.isUncovered, `something lies over ${where}`)
    stops.push(stop)
  }
  return stops
}

/** @returns undefined when the focus has left the page */
function currentStop(page: GuardedPage): Promise<Stop | undefined> {
  return page.evaluate(async () => {
    const seen = window as Window & { lastStop?: Element | null }
    const element = document.activeElement
    if (!element || element === document.body) return undefined
    const isSameAsBefore = seen.lastStop === element
    seen.lastStop = element

    // A check box and the like are drawn by their label, a place for files by the box around its hidden button.
    const drawn = element.closest('label, [data-focus-visible]') ?? element
    const isOutlined = () =>
      [element, drawn, ...drawn.querySelectorAll('*')].some((node) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(node)
        return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
      })
    const isUncovered = () => {
      const { left, right, top, bottom } = drawn.getBoundingClientRect()
      const points = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [x, y] as const))
      return points.some(([x, y]) => {
        const hit = document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y)
        return drawn.contains(hit)
      })
    }
    // It may still be scrolled to, or slide in.
    const start = performance.now()
    while (!(isOutlined() && isUncovered()) && performance.now() - start < 5_000) {
      await new Promise((done) => requestAnimationFrame(done))
    }
    const html = element.outerHTML.slice(0, 200)
    return { html, isSameAsBefore, isOutlined: isOutlined(), isUncovered: isUncovered() }
  })
}
