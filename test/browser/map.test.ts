/** The map of the prospecting page. What it shows is handed to it here: where that comes from is tested elsewhere. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { type GuardedPage, type PageOptions, type TestBrowser, withBrowser } from '../support/browser.ts'
import { axe, eventually, press } from '../support/browser-checks.ts'
import type { Kith } from '../support/kith.ts'
import { pmtiles } from '../support/pmtiles.ts'

const SOURCE = {
  ...{ id: 'file:0196ceb0-0000-7000-8000-000000000001', kind: 'file', name: 'Cafés', licence: 'CC0', places: 5 },
  ...{ attribution: 'Somebody', attribution_url: null, box: { south: 41.9, west: 21.3, north: 42.1, east: 21.5 } },
}
const CENTRE = { latitude: 41.9965, longitude: 21.4314 }
const SEARCHED = `lat=${CENTRE.latitude}&lon=${CENTRE.longitude}&zoom=15&box=41.99,21.42,42.003,21.443`

const place = (id: string, name: string, north: number, east: number, contact: object | null = null) => ({
  ...{ source_id: id, name, category: 'cafe', category_text: null, address: '1 Main Street', phone: null },
  ...{ website: null, email: null, latitude: CENTRE.latitude + north, longitude: CENTRE.longitude + east },
  ...{ distance_m: 10, contact },
})
const KNOWN = { id: '0196ceb0-0000-7000-8000-000000000002', name: 'Known Ltd', reason: 'same_phone' }
const PLACES = [
  place('a', 'Café in the middle', 0, 0),
  place('b', 'Café in the west', 0, -0.006),
  place('c', 'Café in the east', 0, 0.004),
  place('d', 'Known café', 0.004, 0, KNOWN),
  place('e', 'Café beside it', 0, 0.00401),
]

withBrowser((browser, kith) => {
  test('the built-in world has land, water and names in both themes, asks no other host and says whose it is', async (t) => {
    const page = await open(browser, kith, t, 'lat=48&lon=10&zoom=4.2')
    const light = await colours(page)
    const [land, water] = [await token(page, 'map-land'), await token(page, 'map-water')]
    assert.ok(light.share(land) > 0.4, `land is ${light.share(land)}`)
    assert.ok(light.share(water) > 0.1, `water is ${light.share(water)}`)
    assert.ok(light.pixels(([red]) => red < 140) > 300, 'there are letters')
    await page.emulateMedia({ colorScheme: 'dark' })
    const darkWater = await token(page, 'map-water')
    assert.notEqual(darkWater, water)
    await eventually('the map is dark', async () => (await colours(page)).share(darkWater) > 0.1)
    assert.equal((await colours(page)).share(water), 0)
    await page.locator('.map').getByRole('link', { name: 'Natural Earth' }).waitFor()
    await page.locator('.map').getByRole('link', { name: 'GeoNames' }).waitFor()
    await axe(page, 'the map in the dark')
  })

  test('a click on a mark opens its card, a second one ticks the place; the card does too, and Esc closes it', async (t) => {
    const page = await open(browser, kith, t, SEARCHED)
    await pointAt(page, 0, 0)
    await page.locator('.map-hint', { hasText: 'Café in the middle' }).waitFor()
    await page.mouse.down()
    await page.mouse.up()
    const card = page.getByRole('region', { name: 'Café in the middle' })
    await card.getByText('1 Main Street').waitFor()
    const box = card.getByRole('checkbox', { name: 'Add this place' })
    assert.equal(await box.isChecked(), false)
    await axe(page, 'the card of a place')
    await page.mouse.down()
    await page.mouse.up()
    await eventually('it is ticked', () => box.isChecked())
    await card.getByText('Add this place').click()
    await eventually('it is not ticked any more', async () => !(await box.isChecked()))
    await press(page, 'Escape')
    await card.waitFor({ state: 'detached' })
  })

  test('a place that is a contact says so, and is not ticked', async (t) => {
    const page = await open(browser, kith, t, SEARCHED.replace(/lat=[^&]*/, `lat=${CENTRE.latitude + 0.004}`))
    await pointAt(page, 0, 0)
    await page.mouse.down()
    await page.mouse.up()
    const card = page.getByRole('region', { name: 'Known café' })
    await card.getByRole('link', { name: 'Known Ltd' }).waitFor()
    assert.equal(await card.getByRole('checkbox').count(), 0)
    await page.mouse.down()
    await page.mouse.up()
    assert.equal(await ticked(page), 0)
  })

  test('places that hide each other are one mark with their number, which opens when it is clicked', async (t) => {
    const page = await open(browser, kith, t, SEARCHED.replace(/lon=[^&]*/, `lon=${CENTRE.longitude + 0.004}`))
    await pointAt(page, 0, 0)
    await page.locator('.map-hint', { hasText: '2 places' }).waitFor()
    await page.mouse.down()
    await page.mouse.up()
    await eventually('the map is nearer', async () => at(page, 'zoom') > 16)
  })

  test('a box and a line drawn around tick places; a button ticks all in view', async (t) => {
    const page = await open(browser, kith, t, SEARCHED)
    await pointAt(page, 0, 0)
    await page.getByRole('button', { name: 'Select in a box' }).click()
    await page.getByText('Draw a box over what you want.').waitFor()
    await axe(page, 'drawing a box')
    await drag(page, [-40, -40], [40, 40])
    await eventually('one is ticked', async () => (await ticked(page)) === 1)
    await page.getByText('Draw a box over what you want.').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Select by drawing around' }).click()
    await drag(page, [-40, -60], [-40, 60], [-310, 60], [-310, -60])
    await eventually('the one in the west too', async () => (await ticked(page)) === 2)

    await page.getByRole('button', { name: 'Select by drawing around' }).click()
    await press(page, 'Escape')
    await page.getByText('Draw around what you want.').waitFor({ state: 'detached' })

    await page.keyboard.down('Shift')
    await drag(page, [100, -60], [300, 60])
    await page.keyboard.up('Shift')
    await eventually('both of the mark in the east', async () => (await ticked(page)) === 4)

    await page.getByRole('button', { name: 'Select all in view' }).press('Enter')
    assert.equal(await ticked(page), 4)
    assert.equal(at(page, 'lon'), CENTRE.longitude, 'the map has not moved')
  })

  test("one's own contacts are on the map, named in the legend by stage, and selected by a box", async (t) => {
    const page = await open(browser, kith, t, `${SEARCHED}&contacts=true`)
    const legend = page.getByRole('list', { name: 'Marks on the map' })
    await legend.getByText('won 1').waitFor()
    await legend.getByText('No stage 1').waitFor()
    await pointAt(page, 0, 120)
    await page.locator('.map-hint', { hasText: 'Ada, Acme · won' }).waitFor()
    await page.getByRole('button', { name: 'Select in a box' }).click()
    await drag(page, [-30, 90], [30, 150])
    await page.getByRole('toolbar').or(page.getByText('1 selected')).first().waitFor()
    await pointAt(page, 0, 120)
    await page.mouse.down()
    await page.mouse.up()
    await page.getByRole('region', { name: 'Ada, Acme' }).getByRole('link', { name: 'Open contact' }).waitFor()
  })

  test('by keyboard: arrows move the map, plus and minus zoom', async (t) => {
    const page = await open(browser, kith, t, SEARCHED)
    await page.getByRole('application', { name: 'Map' }).focus()
    await press(page, 'ArrowRight')
    await eventually('it is further east', async () => at(page, 'lon') > CENTRE.longitude + 0.001)
    await press(page, 'ArrowUp')
    await eventually('it is further north', async () => at(page, 'lat') > CENTRE.latitude + 0.0005)
    await press(page, 'Minus')
    await eventually('it is further away', async () => at(page, 'zoom') < 14.5)
    await page.getByRole('button', { name: 'Zoom in' }).press('Enter')
    await eventually('it is nearer', async () => at(page, 'zoom') > 14.5)
  })

  test('without WebGL a sentence stands in for the map, and the list works', async (t) => {
    const page = await browser.page(t, kith, { org: await kith.org() })
    await page.addInitScript(`HTMLCanvasElement.prototype.getContext = () => null`)
    await answer(page)
    await page.goto(`/prospecting?${SEARCHED}`)
    await page.getByText('The map needs WebGL, which this browser does not offer. The list works without it.').waitFor()
    await page.getByText('Café in the west').waitFor()
    await axe(page, 'the page without a map')
  })
})

const folder = mkdtempSync(join(tmpdir(), 'kith-map-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const attribution = '© <a href="https://example.com/">Tile makers</a><script>alert(1)</script>'
writeFileSync(
  join(folder, 'world.pmtiles'),
  pmtiles(
    [
      { layer: 'earth', left: 0, top: 0, right: 1, bottom: 1 },
      { layer: 'water', left: 0, top: 0, right: 0.5, bottom: 1 },
    ],
    { attribution },
  ),
)

withBrowser(
  (browser, kith) => {
    test("a file of tiles on the server's disk is drawn in our colours, and its makers are named", async (t) => {
      const page = await open(browser, kith, t, 'lat=0&lon=0&zoom=3')
      const [land, water] = [await token(page, 'map-land'), await token(page, 'map-water')]
      const seen = await colours(page)
      for (const colour of [land, water]) assert.ok(seen.share(colour) > 0.3, `${colour} is ${seen.share(colour)}`)
      await page.locator('.map').getByRole('link', { name: 'Tile makers' }).waitFor()
      assert.doesNotMatch(await page.locator('.map-attribution').innerText(), /alert/)
      await page.emulateMedia({ colorScheme: 'dark' })
      const dark = await token(page, 'map-water')
      await eventually('the map is dark', async () => (await colours(page)).share(dark) > 0.3)
    })
  },
  { settings: { KITH_MAP_STYLE: join(folder, 'world.pmtiles') } },
)

const RED = 'rgb(200, 30, 40)'
const styles = createServer((request, response) => {
  response.setHeader('access-control-allow-origin', '*')
  if (request.url === '/style.json') response.end(JSON.stringify(redWorld()))
  else response.writeHead(404).end()
})
await new Promise<void>((done) => styles.listen(0, '127.0.0.1', done))
after(() => styles.close())

withBrowser(
  (browser, kith) => {
    test('the style of another server is shown, with our marks above it', async (t) => {
      const page = await open(browser, kith, t, SEARCHED)
      const seen = await colours(page)
      assert.ok(seen.share(RED) > 0.8, `red is ${seen.share(RED)}`)
      await pointAt(page, 0, 0)
      await page.locator('.map-hint', { hasText: 'Café in the middle' }).waitFor()
    })

    test('where the style cannot be had or drawn, there is the built-in world, and a sentence', async (t) => {
      const page = await browser.page(t, kith, {
        org: await kith.org(),
        allow: [/Failed to load resource|missing required property/],
      })
      await page.route('**/style.json', (route) => route.abort())
      await answer(page)
      await page.goto('/prospecting?lat=48&lon=10&zoom=4.2')
      await page.getByText('The background of the map could not be loaded.').waitFor()
      await idle(page)
      const water = await token(page, 'map-water')
      await eventually('there is water', async () => (await colours(page)).share(water) > 0.1)

      await page.unroute('**/style.json')
      await page.route('**/style.json', (route) =>
        route.fulfill({ json: { ...redWorld(), layers: [{ id: 'faulty' }] } }),
      )
      await page.reload()
      await page.getByText('The background of the map could not be loaded.').waitFor()
      await eventually('there is water again', async () => (await colours(page)).share(water) > 0.1)
    })
  },
  { settings: { KITH_MAP_STYLE: `http://127.0.0.1:${(styles.address() as AddressInfo).port}/style.json` } },
)

function redWorld() {
  return { version: 8, sources: {}, layers: [{ id: 'red', type: 'background', paint: { 'background-color': RED } }] }
}

/** The page at this search, with what it asks for answered here, when all of the map is drawn. */
async function open(browser: TestBrowser, kith: Kith, t: TestContext, search: string, options: PageOptions = {}) {
  const page = await browser.page(t, kith, { org: await kith.org(), ...options })
  await answer(page)
  await page.goto(`/prospecting?${search}`)
  await idle(page)
  return page
}

async function answer(page: GuardedPage) {
  const contact = (id: string, full_name: string, deal_stage: string | null, east: number) => ({
    ...{ id: `0196ceb0-0000-7000-8000-00000000001${id}`, full_name, company: 'Acme', deal_stage, label: null },
    ...{ latitude: CENTRE.latitude - 0.001914, longitude: CENTRE.longitude + east },
  })
  const contacts = [contact('1', 'Ada', 'won', 0), contact('2', 'Bob', null, 0.004)]
  await page.route('**/ui/places/sources', (route) => route.fulfill({ json: { data: [SOURCE] } }))
  await page.route('**/ui/places?**', (route) =>
    route.fulfill({ json: { data: PLACES, meta: { count: PLACES.length, is_cut: false }, source: SOURCE } }),
  )
  await page.route('**/ui/places/contacts?**', (route) =>
    route.fulfill({ json: { data: contacts, meta: { count: contacts.length } } }),
  )
}

const idle = (page: GuardedPage) => page.locator('.map[data-state="idle"]').waitFor()

/** Moves the pointer to so many pixels right of and below the middle, and waits until there is something. */
async function pointAt(page: GuardedPage, right: number, below: number) {
  const [x, y] = await middle(page)
  let jitter = 0
  await eventually('there is a mark under the pointer', async () => {
    await page.mouse.move(x + right + (jitter++ % 2), y + below)
    return (await page.locator('.map-hint').count()) > 0
  })
}

/** With the button held, from point to point; from the middle. */
async function drag(page: GuardedPage, ...points: [right: number, below: number][]) {
  const [x, y] = await middle(page)
  const [from, ...rest] = points.map(([right, below]) => [x + right, y + below] as const)
  await page.mouse.move(...from!)
  await page.mouse.down()
  for (const to of rest) await page.mouse.move(...to, { steps: 6 })
  await page.mouse.up()
}

async function middle(page: GuardedPage): Promise<[x: number, y: number]> {
  const { x, y, width, height } = await boxOf(page.locator('.map-frame'))
  return [x + width / 2, y + height / 2]
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  assert.ok(box)
  return box
}

/** Where the map looks, as the address says it. */
function at(page: GuardedPage, part: 'lat' | 'lon' | 'zoom'): number {
  return Number(new URL(page.url()).searchParams.get(part))
}

/** How many of the list's places are ticked. */
function ticked(page: GuardedPage): Promise<number> {
  return page.locator('.place input[type="checkbox"]:checked').count()
}

/** A design token as the browser computes it: `rgb(1, 2, 3)`. */
function token(page: GuardedPage, name: string): Promise<string> {
  return page.evaluate(`(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'var(--${name})'
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })()`)
}

/** The colours of a part of the map that has no buttons over it. */
async function colours(page: GuardedPage) {
  const { x, y, width, height } = await boxOf(page.locator('.map-frame'))
  const clip = { x: x + 10, y: y + 10, width: width - 90, height: height - 60 }
  const picture = (await page.screenshot({ clip })).toString('base64')
  const counts: Record<string, number> = await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${picture}'), (one) => one.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes]))
    const pen = new OffscreenCanvas(image.width, image.height).getContext('2d')
    pen.drawImage(image, 0, 0)
    const { data } = pen.getImageData(0, 0, image.width, image.height)
    const counts = {}
    for (let at = 0; at < data.length; at += 4) {
      const colour = 'rgb(' + data[at] + ', ' + data[at + 1] + ', ' + data[at + 2] + ')'
      counts[colour] = (counts[colour] ?? 0) + 1
    }
    return counts
  })()`)
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const parts = (colour: string) => colour.match(/\d+/g)!.map(Number) as [number, number, number]
  return {
    share: (colour: string) => (counts[colour] ?? 0) / all,
    pixels: (is: (colour: [number, number, number]) => boolean) =>
      Object.entries(counts).reduce((sum, [colour, count]) => sum + (is(parts(colour)) ? count : 0), 0),
  }
}
