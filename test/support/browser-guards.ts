/** What no page may do, whatever it is tested for. */
import type { BrowserContext, Page, Request } from 'playwright-core'

export interface Guards {
  /** What has been seen and not been allowed, in the order it came. */
  faults(): string[]
  /** Faults that this matches, before and after, are what the test wants. */
  allow(...patterns: RegExp[]): void
  /** Requests that have no answer yet, the live stream aside. */
  openRequests(): number
}

/** Reports come before the page's own scripts can run; the console carries them here. */
const CSP_REPORTER = `document.addEventListener('securitypolicyviolation', (report) => console.error(
  'CSP report: ' + report.effectiveDirective + ' refuses ' + report.blockedURI + ' at ' + report.sourceFile + ':' + report.lineNumber))`

/** An answer of 4xx is part of a page's work; those of 5xx are seen by the guard of answers. */
const REFUSED_LOAD = /^Failed to load resource: the server responded with a status of/

const LOCAL = new Set(['127.0.0.1', 'localhost', ''])

/**
 * Watches every page of a context for console errors, uncaught errors, reports of the content security policy, requests
 * to any host but loopback, answers of 5xx, dialogs of the browser itself, and crashes.
 */
export async function guard(context: BrowserContext): Promise<Guards> {
  const seen: string[] = []
  const allowed: RegExp[] = []
  const open = new Set<Request>()
  await context.addInitScript(CSP_REPORTER)
  context.on('page', (page) => watchPage(page, seen))
  context.on('console', (message) => {
    if (message.type() !== 'error' || REFUSED_LOAD.test(message.text())) return
    seen.push(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (fault) => {
    const error = fault.error() as unknown
    seen.push(`uncaught: ${(error instanceof Error && error.stack) || String(error)}`)
  })
  context.on('requestfinished', (request) => open.delete(request))
  context.on('requestfailed', (request) => open.delete(request))
  context.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') open.add(request)
    const { hostname } = new URL(request.url())
    if (!LOCAL.has(hostname)) seen.push(`foreign request: ${request.method()} ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() < 500) return
    seen.push(`answer ${response.status()}: ${response.request().method()} ${response.url()}`)
  })
  return {
    faults: () => seen.filter((fault) => !allowed.some((pattern) => pattern.test(fault))),
    allow: (...patterns) => void allowed.push(...patterns),
    openRequests: () => open.size,
  }
}

function watchPage(page: Page, seen: string[]) {
  page.on('crash', () => seen.push(`crash: ${page.url()}`))
  page.on('websocket', (socket) => seen.push(`web socket: ${socket.url()}`))
  page.on('dialog', async (dialog) => {
    if (dialog.type() !== 'beforeunload') seen.push(`dialog: ${dialog.type()} ${dialog.message()}`)
    await dialog.accept().catch(() => {}) // The page has gone first.
  })
}
