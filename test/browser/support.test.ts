/** The guards and checks that every browser test leans on: each must see what it is there for, and nothing else. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { TestBrowser } from '../support/browser.ts'
import { assertNoSideScroll, axe, eventually, focused, press } from '../support/browser-checks.ts'
import { type Guards, guard } from '../support/browser-guards.ts'
import { launchChromium, missingChromium } from '../support/chromium.ts'
import type { Kith } from '../support/kith.ts'

const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'"
const SCRIPTS: Record<string, string> = {
  '/console.js': "console.error('a fault of ours')",
  '/throws.js': "throw new Error('nobody caught it')",
  '/rejects.js': "Promise.reject(new Error('nobody awaited it'))",
  '/styles.js':
    "document.body.append(document.createElement('style')); document.querySelector('style').textContent = 'h1 {}'",
  '/foreign.js': "new Image().src = 'https://example.com/pixel.png'",
  '/asks.js': "fetch('/answers/500'); fetch('/answers/404'); fetch('/answers/401')",
  '/alerts.js': "alert('hello')",
  '/quiet.js': "console.log('fine'); console.warn('fine'); fetch('/answers/422')",
}

describe('guards and checks', { skip: missingChromium() }, () => {
  let server: Server
  let browser: Browser
  let origin: string
  before(async () => {
    server = createServer((request, response) => {
      const [path = '', query = ''] = request.url!.split('?')
      const script = SCRIPTS[path]
      if (script) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
      if (path.startsWith('/answers/')) return response.writeHead(Number(path.slice('/answers/'.length))).end()
      const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CSP }
      response.writeHead(200, headers).end(decodeURIComponent(query))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    server.closeAllConnections()
    server.close()
  })

  async function open(t: TestContext, body: string): Promise<{ page: Page; guards: Guards }> {
    const context = await browser.newContext({ viewport: { width: 320, height: 640 } })
    t.after(() => context.close())
    const guards = await guard(context)
    const page = await context.newPage()
    const html = `<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,"><main>${body}</main></html>`
    await page.goto(`${origin}/?${encodeURIComponent(html)}`)
    return { page, guards }
  }

  const withScript = (name: string) => `<h1>A page</h1><script src="/${name}.js"></script>`

  const FAULTS: [script: string, seen: RegExp][] = [
    ['console', /^console: a fault of ours/],
    ['throws', /^uncaught: .*nobody caught it/],
    ['rejects', /^uncaught: .*nobody awaited it/],
    ['styles', /^console: CSP report: style-src-elem refuses inline/],
    ['foreign', /^foreign request: GET https:\/\/example\.com\/pixel\.png/],
    ['asks', /^answer 500: GET http:\/\/127\.0\.0\.1:\d+\/answers\/500/],
    ['alerts', /^dialog: alert hello/],
  ]
  for (const [script, seen] of FAULTS) {
    test(`a page that runs ${script}.js is seen, and can be allowed`, async (t) => {
      const { guards } = await open(t, withScript(script))
      await eventually(`${seen} is seen`, async () => guards.faults().some((fault) => seen.test(fault)))
      guards.allow(seen, /Content.Security.Policy|ERR_NAME_NOT_RESOLVED|CSP report/)
      assert.deepEqual(guards.faults(), [])
    })
  }

  test('a page that logs, warns and is refused with 422 is let through', async (t) => {
    const { page, guards } = await open(t, withScript('quiet'))
    await page.waitForLoadState('networkidle')
    assert.deepEqual(guards.faults(), [])
  })

  test('axe says what is wrong and where, under a policy without inline code, and is silent when nothing is', async (t) => {
    const { page, guards } = await open(t, '<h1>A page</h1><button id="nameless"></button>')
    await assert.rejects(axe(page), /axe at \/:\nbutton-name: .*\n {2}#nameless/)
    await page.locator('button').evaluate((button) => (button.textContent = 'Named'))
    await axe(page)
    assert.deepEqual(guards.faults(), [])
  })

  test('a page of a test that did what no page may do fails the test when it ends', async () => {
    const own = new TestBrowser()
    const hooks: (() => Promise<void>)[] = []
    const t = { after: (hook: () => Promise<void>) => void hooks.push(hook) } as unknown as TestContext
    try {
      await own.open()
      const page = await own.page(t, { url: origin } as Kith)
      await page.goto('/answers/500')
      const end = hooks[0]!
      await assert.rejects(end(), /^Error: The page did what no page may do:\nanswer 500: GET http.*\/answers\/500$/)
    } finally {
      await own.close()
    }
  })

  test('a page that is wider than its window is told with what makes it so', async (t) => {
    const { page } = await open(t, '<h1>A page</h1><hr width="900" id="wide">')
    await assert.rejects(assertNoSideScroll(page), /is \d+ px wide in a window of \d+ px: .*id="wide"/)
    await page.locator('hr').evaluate((line) => line.remove())
    await assertNoSideScroll(page)
  })

  test('keys are pressed in turn, and the focus is told as it is read out', async (t) => {
    const { page } = await open(t, '<h1>A page</h1><a href="#one">One</a> <button>Two</button>')
    await press(page, 'Tab')
    assert.equal(await focused(page), 'link "One"')
    await press(page, 'Tab')
    assert.equal(await focused(page), 'button "Two"')
  })
})
