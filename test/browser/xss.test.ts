/** What people and programs write is text on every page: it opens no dialog, breaks no policy, and asks nobody. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type GuardedPage, withBrowser } from '../support/browser.ts'
import { press, settled } from '../support/browser-checks.ts'
import type { Kith } from '../support/kith.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import type { Ui } from '../support/ui.ts'
import { until } from '../support/until.ts'
import { XSS_TEXTS } from './xss-texts.ts'

const STAGES_MAX = 50
const LINK_PROTOCOLS = new Set(['http:', 'https:', 'mailto:', 'tel:', 'blob:'])

/** For all of it; each part ends by itself. */
const LONG = { timeout: 600_000 }

interface Hostile {
  person: Ui
  /** Of one whose fields are the text at the same place in the list, and more. */
  contactIds: string[]
  webhookId: string
  importId: string
}

withBrowser((browser, kith) => {
  let receiver: Receiver
  let hostile: Hostile
  before(async () => {
    receiver = await startReceiver()
    hostile = await fillWithHostileTexts(kith, receiver)
  })
  after(() => receiver.close())

  test('every page of an org whose every text is an attack', LONG, async (t) => {
    const page = await browser.page(t, kith, { person: hostile.person })
    for (const path of ['/contacts', '/deals', '/deals?layout=table', '/tasks', '/tasks?status=done', '/imports']) {
      await opens(page, path)
    }
    await opens(page, `/imports/${hostile.importId}`)
    for (const name of ['organisation', 'members', 'api-keys', 'webhooks', 'you'])
      await opens(page, `/settings/${name}`)
  })

  test('every contact whose name, company, place, stage, label, tag, task and note is an attack', LONG, async (t) => {
    const page = await browser.page(t, kith, { person: hostile.person })
    for (const [at, id] of hostile.contactIds.entries()) {
      await opens(page, `/contacts/${id}`)
      assert.equal(await page.locator('h1').innerText(), XSS_TEXTS[at])
    }
    await page.getByRole('tab', { name: /Tasks/ }).click()
    await page.getByText(XSS_TEXTS.at(-1)!).first().waitFor()
    await page.getByRole('tab', { name: /deliveries/ }).click()
    await page.getByRole('option').first().waitFor()
  })

  test('a delivery that was answered with an attack', async (t) => {
    const page = await browser.page(t, kith, { person: hostile.person })
    await opens(page, `/settings/webhooks/${hostile.webhookId}`)
    await page.getByRole('option').first().click()
    const panel = page.getByRole('region', { name: 'Delivery' })
    await panel.getByRole('tab', { name: 'Response' }).click()
    await panel.getByText(XSS_TEXTS[0]!).first().waitFor()
    await holdsOnlyText(page)
  })

  test('an attack that is typed into search and palette', async (t) => {
    const page = await browser.page(t, kith, { person: hostile.person })
    await opens(page, '/contacts')
    for (const text of XSS_TEXTS.slice(0, 5)) {
      await page.getByRole('searchbox', { name: 'Search name or company' }).fill(text)
      await settled(page)
    }
    await page.goto(
      `/contacts?${new URLSearchParams({ q: XSS_TEXTS[14]!, stage: XSS_TEXTS[15]!, view: XSS_TEXTS[16]! })}`,
    )
    await settled(page)
    await page.goto(`/sign-in?${new URLSearchParams({ to: 'javascript:alert(1)' })}`)
    await settled(page)
    await opens(page, '/deals')
    await press(page, 'Control+k')
    await page.getByRole('searchbox', { name: 'Find anything' }).fill('<img src=x onerror=alert')
    await page.getByRole('menuitem').first().waitFor()
    await holdsOnlyText(page)
  })
})

async function opens(page: GuardedPage, path: string) {
  await page.goto(path)
  await settled(page)
  await holdsOnlyText(page)
}

/** A link out of somebody's text, or an element, would be an opening even if nothing has come through it yet. */
async function holdsOnlyText(page: GuardedPage) {
  const protocols: string[] = await page.evaluate(() => [...document.links].map(({ protocol }) => protocol))
  for (const protocol of protocols) assert.ok(LINK_PROTOCOLS.has(protocol), `${page.url()} has a link with ${protocol}`)
  const made = 'script:not([src]), iframe, object, embed, base, marquee, math, [onerror], [onload], [srcset*="evil"]'
  assert.equal(await page.locator(`#root :is(${made}), body > :is(${made})`).count(), 0, page.url())
}

async function fillWithHostileTexts(kith: Kith, receiver: Receiver): Promise<Hostile> {
  const org = await kith.org({ name: XSS_TEXTS[0]! })
  const person = await kith.ui(org, 'admin', { name: XSS_TEXTS[1]! })
  await kith.ui(org, 'member', { name: XSS_TEXTS[14]! })
  const post = async (path: string, body: object) => made(await person.post(path, body))
  const color = '#3f66d9'
  const stages = XSS_TEXTS.slice(0, STAGES_MAX).map((name) => ({ name, color, probability: null }))
  await post('/org/stages', { stages })
  await post('/org/labels', { labels: stages.map(({ name }) => ({ name, color })) })
  for (const name of XSS_TEXTS.slice(0, 12)) {
    await post('/tokens', { name, scopes: ['read'] })
    await post('/views', { name, filter: { tag: name } })
  }
  const headers = { 'x-attack': XSS_TEXTS[14]!, 'content-type': 'text/html' }
  const hook = receiver.hook({ status: 500, headers, body: XSS_TEXTS.join('\n') })
  const webhook = await post('/webhooks', { url: hook.url, events: ['contact.created'], note: XSS_TEXTS[2] })
  const contactIds: string[] = []
  for (const text of XSS_TEXTS) {
    const names = { full_name: text, company: text, location: text, phone: text.slice(0, 50), deal_stage: text }
    const { id } = await org.addContact({ ...names, label: text, tags: [text], deal_value: 1 })
    contactIds.push(id)
    const task = { title: text, priority: text, category: text, contact_id: id }
    await org.addTask({ ...task, due_at: '2026-01-01T00:00:00.000Z' })
    await org.api.patch(`/tasks/${(await org.addTask(task)).id}`, { status: 'done' })
    await post(`/contacts/${id}/activities`, { kind: 'note', body: text })
  }
  await hook.until(XSS_TEXTS.length)
  return { person, contactIds, webhookId: webhook.id, importId: await checkedImport(person) }
}

/** A file whose name, columns and cells are attacks, and whose rows have problems. */
async function checkedImport(person: Ui): Promise<string> {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
  const columns = ['Name', 'Email', XSS_TEXTS[14]!, XSS_TEXTS[47]!]
  const rows = XSS_TEXTS.map((text) => [text, `${text}@`, text, text])
  const file = [columns, ...rows].map((row) => row.map(cell).join(',')).join('\n')
  const name = encodeURIComponent(`${XSS_TEXTS[14]}.csv`)
  const { id } = made(await person.post(`/imports/upload?name=${name}`, file, { 'content-type': 'text/csv' }))
  made(await person.post(`/imports/${id}/check`, {}))
  await until('the import is checked', async () => (await person.get(`/imports/${id}`)).body.state === 'checked')
  return id
}

function made({ status, body, text }: Awaited<ReturnType<Ui['get']>>) {
  assert.ok(status < 300, text)
  return body
}
