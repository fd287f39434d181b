/** Webhooks and their deliveries, as an admin meets them; what is sent arrives at a real receiver. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { signBody } from '../../server/src/webhooks/signature.ts'
import { withBrowser } from '../support/browser.ts'
import { assertNoSideScroll, axe, eventually, press, settled } from '../support/browser-checks.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

let receiver: Receiver
before(async () => {
  receiver = await startReceiver()
})
after(() => receiver.close())

withBrowser((browser, kith) => {
  test('a webhook is added; the Node verifier that is shown verifies what it sends', async (t) => {
    const page = await browser.page(t, kith, { org: await kith.org() })
    const hook = receiver.hook()
    await page.goto('/settings/webhooks')
    await page.getByText('No webhooks yet.').waitFor()
    await page.getByRole('button', { name: 'Add webhook' }).first().click()
    const url = page.getByRole('textbox', { name: 'URL' })
    await url.fill('http://example.com/hooks')
    await page.getByText('The URL must begin with https://; plain http is only').waitFor()
    await axe(page, 'an address that is refused')
    await url.fill('https://10.1.2.3/')
    await page.getByText('The address is private and not allowed.').waitFor()
    await url.fill(hook.url)
    await page.getByText('The address is private and not allowed.').waitFor({ state: 'detached' })
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click()
    await page.getByText('Copy this secret now. It will not be shown again.').waitFor()
    const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
    const program = await page.getByRole('textbox', { name: 'Verifier for Node' }).inputValue()
    assert.ok(program.includes(secret))
    await axe(page, 'the secret')
    await page.getByRole('tab', { name: 'Python' }).click()
    assert.ok((await page.getByRole('textbox', { name: 'Verifier for Python' }).inputValue()).includes(secret))
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('link', { name: hook.url }).click()
    await page.getByRole('heading', { level: 1, name: hook.url }).waitFor()
    await page.getByText('No deliveries yet.').waitFor()
    await page.getByRole('button', { name: 'Send test' }).first().click()
    await page.getByRole('menuitem', { name: 'contact.created' }).click()
    const [received] = await hook.until(1)
    assert.equal(received!.headers['x-service-signature'], signBody(secret, received!.body))
    assert.equal(received!.json.payload.test, true)
    await page.getByRole('option', { name: /Delivered.*contact\.created.*Test/s }).waitFor()
    const verifier = await startProgram(t, program)
    const post = async (body: Buffer) => {
      const headers = { 'x-service-signature': String(received!.headers['x-service-signature']) }
      return (await fetch(verifier, { method: 'POST', headers, body: new Uint8Array(body) })).status
    }
    assert.equal(await post(received!.body), 204)
    assert.equal(await post(Buffer.concat([received!.body, Buffer.from(' ')])), 401)
  })

  test('a failed delivery arrives live, tells what happened, and is sent again', async (t) => {
    const org = await kith.org()
    const hook = receiver.hook({ status: 500, headers: { 'x-own': 'yes' }, body: '<script>alert(1)</script>' })
    const { id } = await org.subscribe(hook.url)
    const page = await browser.page(t, kith, { org, context: { permissions: ['clipboard-read', 'clipboard-write'] } })
    await page.goto(`/settings/webhooks/${id}`)
    await page.getByText('No deliveries yet.').waitFor()
    const contact = await org.addContact({ full_name: 'Ada Lovelace' })
    const row = page.getByRole('option', { name: /Failed.*contact\.created.*500.*Ada Lovelace/s })
    await row.click()
    const panel = page.getByRole('region', { name: 'Delivery' })
    await panel.getByRole('heading', { name: 'contact.created' }).waitFor()
    await axe(page, 'the log with the panel open')
    assert.equal(
      await panel.getByRole('link', { name: 'Ada Lovelace' }).getAttribute('href'),
      `/contacts/${contact.id}`,
    )
    const body = panel.getByLabel('Body', { exact: true })
    assert.equal(await body.innerText(), JSON.stringify(hook.received[0]!.json, null, 2))
    await panel.getByRole('button', { name: 'Show exactly as signed' }).click()
    assert.equal(await body.innerText(), hook.received[0]!.body.toString())
    assert.ok(await panel.getByText(String(hook.received[0]!.headers['x-service-signature'])).isVisible())
    await panel.getByRole('button', { name: 'Copy as curl' }).click()
    await panel.getByRole('button', { name: 'Copied' }).waitFor()
    assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /^curl -X POST 'http.*--data-binary/s)
    await panel.getByRole('tab', { name: 'Response' }).click()
    assert.equal(await panel.getByLabel('Body of the answer').innerText(), '<script>alert(1)</script>')
    assert.ok(await panel.getByText('x-own').isVisible())
    assert.ok(await panel.getByText('First byte').isVisible())
    await axe(page, 'the response')
    hook.manner = {}
    await panel.getByRole('button', { name: 'Send again' }).click()
    await hook.until(2)
    await panel.getByText('Delivered: answered 200').waitFor()
    await panel.getByText('Failed: ').first().waitFor()
    const ids = hook.received.map(({ headers }) => headers['x-service-delivery'])
    assert.equal(ids[0], ids[1])
    await page.getByRole('option', { name: /Delivered.*contact\.created.*200/s }).waitFor()
  })

  test('↑ and ↓ move through the log with the panel open; filters narrow it', async (t) => {
    const org = await kith.org()
    const hook = receiver.hook(({ json }) => ({ status: json.payload.contact?.full_name === 'Bob' ? 500 : 200 }))
    const { id } = await org.subscribe(hook.url)
    for (const full_name of ['Ada', 'Bob', 'Cleo']) await org.addContact({ full_name })
    await org.addTask({ title: 'Call' })
    const page = await browser.page(t, kith, { org })
    await page.goto(`/settings/webhooks/${id}`)
    const list = page.getByRole('listbox', { name: 'Deliveries' })
    const rows = list.getByRole('option')
    await eventually('all have been sent', async () => {
      const texts = await rows.allInnerTexts()
      return texts.length === 4 && texts.every((text) => !text.includes('Waiting'))
    })
    await list.focus()
    await press(page, 'Enter')
    const panel = page.getByRole('region', { name: 'Delivery' })
    await panel.getByRole('heading', { name: 'task.created' }).waitFor()
    await press(page, 'ArrowDown', 'ArrowDown')
    await panel.getByRole('link', { name: 'Bob' }).waitFor()
    await press(page, 'ArrowUp')
    await panel.getByRole('link', { name: 'Cleo' }).waitFor()
    await press(page, 'Escape')
    await panel.waitFor({ state: 'detached' })
    const names = async () => (await rows.allInnerTexts()).map((text) => /Ada|Bob|Cleo|task\.created/.exec(text)![0])
    await choose(page, 'State', 'Failed')
    await eventually('only what has failed', async () => (await names()).join() === 'Bob')
    await choose(page, 'State', 'All')
    await choose(page, 'Event', 'task.created')
    await eventually('only the task', async () => (await names()).join() === 'task.created')
    await choose(page, 'Event', 'contact.deleted')
    await page.getByText('No delivery matches.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('combobox', { name: 'Contact' }).fill('Cle')
    await page.getByRole('option', { name: 'Cleo', exact: true }).waitFor()
    await press(page, 'ArrowDown', 'Enter')
    await eventually('only Cleo', async () => (await names()).join() === 'Cleo')
  })

  test('all that have failed are sent again, after the number was shown', async (t) => {
    const org = await kith.org()
    const hook = receiver.hook({ status: 503 })
    const { id } = await org.subscribe(hook.url, ['contact.created'])
    for (let i = 0; i < 3; i++) await org.addContact({ full_name: `n${i}` })
    const page = await browser.page(t, kith, { org })
    await until('all have failed', async () => {
      const since = new Date(0).toISOString()
      return (await page.person!.get(`/webhooks/${id}/failed?since=${since}`)).body.count === 3
    })
    await page.goto(`/settings/webhooks/${id}`)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Send all failed again…' }).click()
    await page.getByText('3 failed deliveries will be sent again').waitFor()
    await axe(page, 'Send all failed again')
    hook.manner = {}
    await page.getByRole('button', { name: 'Send 3 again' }).click()
    await hook.until(6)
    await eventually('all are delivered', async () => {
      const texts = await page.getByRole('option').allInnerTexts()
      return texts.length === 3 && texts.every((text) => text.includes('Delivered'))
    })
  })

  test('a webhook is paused, resumed, edited, given a new secret, and deleted', async (t) => {
    const org = await kith.org()
    const hook = receiver.hook()
    const { id } = await org.subscribe(hook.url)
    const page = await browser.page(t, kith, { org })
    await page.goto(`/settings/webhooks/${id}`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByText('All events').last().click()
    await page.getByText('task.completed').click()
    await page.getByRole('textbox', { name: 'Note' }).fill('Only what is done')
    await page.getByRole('button', { name: 'Save webhook' }).click()
    await page.getByText('Only what is done').waitFor()
    const { body } = await page.person!.get(`/webhooks/${id}`)
    assert.deepEqual([body.events, body.url], [['task.completed'], hook.url])
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'New secret' }).click()
    await page.getByRole('button', { name: 'Make new secret' }).click()
    const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
    assert.match(secret, /^whsec_/)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('button', { name: 'End the old secret' }).click()
    await page.getByText('The old secret goes on').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await axe(page, 'the question')
    await page.getByRole('button', { name: 'Delete webhook' }).click()
    await page.getByText('No webhooks yet.').waitFor()
    assert.equal((await page.person!.get(`/webhooks/${id}`)).status, 404)
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`the log and its panel fit a phone and break no rule, ${theme}`, async (t) => {
      const org = await kith.org()
      const { id } = await org.subscribe(receiver.hook({ status: 404, body: 'x'.repeat(5_000) }).url)
      await org.addContact({ full_name: 'W'.repeat(200) })
      const page = await browser.page(t, kith, { org, width: 320, theme })
      await page.goto(`/settings/webhooks/${id}`)
      await page.getByRole('option', { name: /Failed/ }).click()
      await page.getByRole('region', { name: 'Delivery' }).getByRole('tab', { name: 'Response' }).click()
      await settled(page)
      await assertNoSideScroll(page)
      await axe(page)
      await page.goto('/settings/webhooks')
      await settled(page)
      await assertNoSideScroll(page)
      await axe(page)
    })
  }
})

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Runs what the page shows. @returns where it listens */
async function startProgram(t: TestContext, text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kith-shown-'))
  const path = join(folder, 'receiver.mjs')
  writeFileSync(path, text)
  const child = spawn(process.execPath, [path], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  t.after(() => {
    child.kill()
    rmSync(folder, { recursive: true })
  })
  const port = await until('the verifier listens', () => /Listening on port (\d+)/.exec(said)?.[1])
  return `http://127.0.0.1:${port}/`
}
