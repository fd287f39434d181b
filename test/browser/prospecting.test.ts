/** Places become contacts: by mouse, by keyboard, on a phone, without a map, and what is said when they cannot be had. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type GuardedPage, type PageOptions, withBrowser } from '../support/browser.ts'
import { assertNoSideScroll, axe, eventually, focused, press, settled } from '../support/browser-checks.ts'
import type { Kith } from '../support/kith.ts'
import type { Org } from '../support/org.ts'
import { startReceiver } from '../support/receiver.ts'

/** Of the sample, all within the centre of Skopje. */
const PLACES = 51
const LONG = { timeout: 300_000 }

withBrowser((browser, kith) => {
  test(
    'a new user finds places within a minute: sample places, one search, fifty contacts, each heard of',
    LONG,
    async (t) => {
      const org = await kith.org()
      const receiver = await startReceiver()
      t.after(() => receiver.close())
      const hook = receiver.hook()
      await org.subscribe(hook.url, ['contact.created'])
      const page = await browser.page(t, kith, { org })
      await page.goto('/contacts')
      await page.getByRole('link', { name: 'Find businesses on the map' }).click()
      await page.getByText('No places to search in yet.').waitFor()
      await settled(page)
      await axe(page, 'no source')
      await page.getByRole('button', { name: 'Load sample places' }).click()
      await find(page)
      await page.getByText('51 places found.').first().waitFor()
      await page.getByText('Lists made from OpenStreetMap that you publish must be shared under ODbL.').waitFor()

      await selectAll(page, PLACES).click()
      await rows(page).first().locator('label').click()
      await choose(page, 'Stage', 'lead')
      await page.getByRole('textbox', { name: 'Tags' }).fill('skopje, fast food')
      await settled(page)
      await axe(page, 'places about to be added')
      await page.getByRole('button', { name: 'Add 50 contacts' }).click()
      await page.getByText('50 added.').waitFor()
      const received = await hook.until(50)
      assert.deepEqual([...new Set(received.map(({ json }) => json.event))], ['contact.created'])
      const { deal_stage, tags } = received[0]!.json.payload.contact
      assert.deepEqual([deal_stage, tags], ['lead', ['skopje', 'fast food']])
      assert.match(await focused(page), /50 added/)
      await rows(page).filter({ hasText: 'Already a contact' }).nth(49).waitFor()
      await selectAll(page, 1).waitFor()
      await axe(page, 'places that are contacts')

      await page.getByRole('link', { name: 'See them' }).click()
      await page.waitForURL('**/contacts?import=*')
      await eventually(
        'the contacts are counted',
        async () => (await page.locator('[data-count]').innerText()) === '50',
      )
      await page.goBack()
      await page.getByText('51 places, 50 of them already contacts.').first().waitFor()
    },
  )

  test(
    'a page that knows nothing of it adds the same places again: none; Undo takes all of them back',
    LONG,
    async (t) => {
      const { org, page } = await withSample(t)
      await find(page)
      await selectAll(page, PLACES).click()
      const late = await browser.page(t, kith, { org, allow: [/ui\/stream|ERR_FAILED/] })
      await withoutMap(late)
      await late.route('**/ui/stream', (route) => route.abort())
      await late.goto('/prospecting')
      await find(late)
      await selectAll(late, PLACES).click()

      await page.getByRole('button', { name: 'Add 51 contacts' }).click()
      await page.getByText('51 added.').waitFor()
      await late.getByRole('button', { name: 'Add 51 contacts' }).click()
      await late.getByText('0 added. 51 were contacts already.').waitFor()
      assert.equal(await contactCount(org), PLACES)

      await page.getByRole('button', { name: 'Undo' }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByText('Undoing removes 51 contacts.').waitFor()
      await dialog.getByRole('button', { name: 'Undo import' }).click()
      await page.getByText('Undone: 51 contacts removed.').waitFor()
      assert.equal(await contactCount(org), 0)
      await selectAll(page, PLACES).waitFor()
    },
  )

  test('by keyboard alone: a city, how far around it, arrows through the list, Space, and added', LONG, async (t) => {
    const { org, page } = await withSample(t, { hasMap: false })
    await page.goto('/contacts')
    await settled(page)
    await press(page, 'g', 'p')
    await page.waitForURL('**/prospecting*')
    await eventually('the heading has the focus', async () => /^heading "Prospecting"/.test(await focused(page)))
    await tabTo(page, /^combobox "Go to a place"/)
    await page.keyboard.type('skopj')
    await page.getByRole('option', { name: /Skopje/ }).waitFor()
    await press(page, 'Enter')
    await tabTo(page, /^button ".*Search within/)
    await press(page, 'Enter')
    await page.getByRole('option', { name: '1 km' }).waitFor()
    await press(page, 'Home', 'ArrowDown', 'Enter')
    await eventually('the field has the focus back', async () =>
      /^button "1 km Search within/.test(await focused(page)),
    )
    await press(page, '/')
    await eventually('the search has it', async () => /^searchbox "Part of the name"/.test(await focused(page)))
    await press(page, 'Enter')
    await page
      .getByText(/\d+ places found\./)
      .first()
      .waitFor()
    const found = await rows(page).count()
    assert.ok(found > 3 && found < PLACES, `${found} places within 1 km`)

    await tabTo(page, /^checkbox "Select all/)
    await press(page, 'Tab')
    const names = await rows(page).locator('.place-name').allInnerTexts()
    const isAt = (at: number) =>
      eventually(`row ${at} has the focus`, async () => (await focusedRow(page)) === names[at])
    await isAt(0)
    await press(page, 'Space', 'ArrowDown')
    await isAt(1)
    await press(page, 'Space', 'End')
    await isAt(found - 1)
    await press(page, 'Home', 'ArrowDown', 'ArrowDown', 'Space')
    await isAt(2)
    await page.getByRole('button', { name: 'Add 3 contacts' }).waitFor()
    await tabTo(page, /^button "Add 3 contacts"/)
    await press(page, 'Enter')
    await page.getByText('3 added.').waitFor()
    assert.equal(await contactCount(org), 3)
    assert.match(await focused(page), /3 added/)
    await tabTo(page, /^link ".+"/, { within: '.place' })
    await press(page, 'Enter')
    await page.waitForURL('**/contacts/*')
  })

  test('on a phone: the list above the map, all within its width; Imports is under More', LONG, async (t) => {
    const { page } = await withSample(t, { width: 375, theme: 'dark' })
    await find(page)
    await selectAll(page, PLACES).click()
    await settled(page)
    await assertNoSideScroll(page)
    await axe(page, 'places on a phone')
    const [list, map] = [page.getByRole('region', { name: 'Search' }), page.getByRole('region', { name: 'Map' })]
    const [above, below] = [(await list.boundingBox())!, (await map.boundingBox())!]
    assert.ok(above.y + above.height <= below.y, 'the list ends above the map')
    assert.ok(above.height < 1_400, `the list is ${above.height} px high`)
    const bar = page.getByRole('navigation', { name: 'Main' })
    await eventually('the bar has five items', async () => (await bar.getByRole('listitem').count()) === 5)
    await bar.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Imports' }).click()
    await page.waitForURL('**/imports')
  })

  test('without WebGL the page says so and all else works; the area is what the list says', LONG, async (t) => {
    const { page } = await withSample(t, { hasMap: false })
    await page.getByText('The map needs WebGL, which this browser does not offer.').waitFor()
    await page.getByRole('combobox', { name: 'Go to a place' }).fill('41.9961, 21.4316')
    await press(page, 'Enter')
    await choose(page, 'Search within', '500 m')
    await find(page)
    const near = await rows(page).count()
    let searches = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/ui/places') searches++
    })
    await choose(page, 'Search within', '5 km')
    await choose(page, 'Kind', 'Fast food')
    await settled(page)
    assert.equal(searches, 0, 'nothing is searched before somebody says so')
    await page.getByRole('button', { name: 'Search this area' }).click()
    await eventually('more is found', async () => (await rows(page).count()) > near)
    await axe(page, 'no map')
    const address = page.url()
    await page.goto('about:blank')
    await page.goto(address)
    await selectAll(page).waitFor()
    await page.getByRole('button', { name: /5 km.*Search within/ }).waitFor()
  })

  test('what cannot be searched says why: too wide, nothing there, and a server that is away', LONG, async (t) => {
    const { page } = await withSample(t, { hasMap: false, allow: [/^answer 503/] })
    await page.goto('/prospecting?lat=48&lon=10&zoom=3')
    await search(page)
    await page.getByText('Zoom in to search: this area is too large.').waitFor()
    await axe(page, 'too wide')
    await page.goto('/prospecting?lat=41.9961&lon=21.4316&zoom=13')
    await choose(page, 'Kind', 'Hotel')
    await search(page)
    await page.getByText('No hotels here in this source.').first().waitFor()
    const body = { error: 'unavailable', message: 'The places server did not answer.' }
    await page.route(/\/ui\/places\?/, (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '2' }, json: body }),
    )
    await choose(page, 'Kind', 'Shop')
    await search(page)
    await page.getByText('The places server did not answer.').first().waitFor()
    await axe(page, 'a source that is away')
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await page.getByText('No shops here in this source.').first().waitFor()
  })

  test('a file of one’s own is searched by oneself alone, and can be removed', LONG, async (t) => {
    const { org, page } = await withSample(t, { role: 'member', hasMap: false })
    const path = join(kith.folder, 'cafés.csv')
    await writeFile(path, 'name,latitude,longitude,phone,website\nKavana,42.1,21.7,+38970111222,javascript:alert(1)\n')
    await page.getByRole('button', { name: 'Use your own file' }).click()
    await axe(page, 'the dialog for a file')
    await page.locator('input[type="file"]').setInputFiles(path)
    await page.getByRole('button', { name: /cafés/ }).first().waitFor()
    await find(page)
    await rows(page).getByText('Kavana').waitFor()
    const links = await rows(page)
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    assert.deepEqual(links, ['tel:+38970111222'])
    const other = await browser.page(t, kith, { org })
    await withoutMap(other)
    await other.goto('/prospecting')
    await settled(other)
    assert.equal(await other.getByText('cafés').count(), 0)
    await page.getByRole('button', { name: /^Remove .*cafés/ }).click()
    await eventually('it is gone', async () => (await page.getByText('cafés').count()) === 0)
  })

  test('contacts that came from the map are shown there, and changed together', LONG, async (t) => {
    const { org, page } = await withSample(t, { hasMap: false })
    await find(page)
    for (const at of [0, 1, 2]) await rows(page).nth(at).locator('label').click()
    await page.getByRole('button', { name: 'Add 3 contacts' }).click()
    await page.getByText('3 added.').waitFor()
    await page.getByText('My contacts on the map').click()
    await page.getByText('3 in this area.').waitFor()
    await page.getByRole('button', { name: 'Select 3' }).click()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('3 selected').waitFor()
    await axe(page, 'contacts selected on the map')
    await bar.getByRole('button', { name: 'Set stage' }).click()
    await page.getByRole('menuitem', { name: 'won' }).click()
    await page.getByText('3 contacts: stage won.').waitFor()
    const { data } = (await org.api.get('/contacts')).body
    assert.deepEqual(
      data.map(({ deal_stage }: { deal_stage: string }) => deal_stage),
      ['won', 'won', 'won'],
    )
    assert.match(page.url(), /contacts=true/)
  })

  /** A page at the sample places, of an org that has no contact. */
  async function withSample(t: TestContext, { hasMap = true, ...options }: PageOptions & { hasMap?: boolean } = {}) {
    const org = await kith.org()
    await loadSample(kith, org)
    const page = await browser.page(t, kith, { org, ...options })
    if (!hasMap) await withoutMap(page)
    await page.goto('/prospecting')
    await page.getByRole('button', { name: 'Search this area' }).waitFor()
    return { org, page }
  }
})

/** As where a browser has no WebGL. Most of the tests are not about the map, which two busy cores draw slowly. */
function withoutMap(page: Page) {
  return page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      return kind.startsWith('webgl') ? null : Reflect.apply(getContext, this, [kind, ...rest])
    } as typeof getContext
  })
}

async function loadSample(kith: Kith, org: Org) {
  const admin = await kith.ui(org, 'admin')
  const answer = await admin.post('/places/sample')
  assert.ok(answer.status < 300, answer.text)
}

async function find(page: Page) {
  await search(page)
  await selectAll(page).waitFor()
}

function search(page: Page) {
  return page.getByRole('button', { name: 'Search this area' }).click()
}

/** The label of the check box: the box itself is drawn by it. */
function selectAll(page: Page, count?: number): Locator {
  return page.locator('label').filter({ hasText: count === undefined ? /^Select all/ : `Select all ${count}` })
}

function rows(page: Page): Locator {
  return page.getByRole('list', { name: 'Places' }).getByRole('listitem')
}

async function choose(page: Page, field: string, option: string) {
  await page.getByRole('button', { name: new RegExp(`${field}$`) }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

async function contactCount(org: Org): Promise<number> {
  return (await org.api.get('/contacts?limit=1')).body.meta.count
}

/** The name of the place that has the focus. */
function focusedRow(page: Page): Promise<string | undefined> {
  return page.evaluate(
    () => document.activeElement?.closest('.place')?.querySelector<HTMLElement>('.place-name')?.innerText,
  )
}

/** Presses Tab until the focus is there. */
async function tabTo(page: GuardedPage, wanted: RegExp, { within = 'body' } = {}) {
  for (let stops = 0; stops < 40; stops++) {
    await press(page, 'Tab')
    const isWithin = await page.evaluate((scope) => Boolean(document.activeElement?.closest(scope)), within)
    if (isWithin && wanted.test(await focused(page))) return
  }
  assert.fail(`Tab does not lead to ${wanted}`)
}
