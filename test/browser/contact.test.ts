/** The page of one contact, and the dialog that adds one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeContact } from '../../server/src/contacts/actions.ts'
import { type GuardedPage, withBrowser } from '../support/browser.ts'
import { assertNoSideScroll, axe, eventually, focused, press, settled } from '../support/browser-checks.ts'
import type { Org } from '../support/org.ts'

withBrowser((browser, kith) => {
  const addAda = (org: Org) =>
    org.addContact({ full_name: 'Ada Lovelace', company: 'Acme', email: 'ada@example.com', deal_stage: 'lead' })
  const contactIn = async (org: Org, id: string) => (await org.api.get(`/contacts/${id}`)).body

  test('a field is edited in place: Enter saves, Esc restores, leaving saves, and the focus stays near', async (t) => {
    const org = await kith.org()
    const ada = await addAda(org)
    const page = await open(browser.page(t, kith, { org }), ada.id)
    assert.equal(await page.title(), 'Ada Lovelace · Contacts · Kith')
    await page.getByRole('button', { name: 'Edit company: Acme' }).click()
    await page.getByLabel('Company').fill('Analytical Engines')
    await press(page, 'Enter')
    await page.getByRole('button', { name: 'Edit company: Analytical Engines' }).waitFor()
    await eventually('the focus is back', async () => (await focused(page)).includes('Edit company'))
    await eventually('it is saved', async () => (await contactIn(org, ada.id)).company === 'Analytical Engines')

    await press(page, 'e')
    await page.getByLabel('Name', { exact: true }).fill('Nobody')
    await press(page, 'Escape')
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()

    await page.getByRole('button', { name: 'Edit tags: Add tags' }).click()
    await page.getByLabel('Tags').fill('fintech, "a, b"')
    await press(page, 'Tab')
    await eventually('left and saved', async () => (await contactIn(org, ada.id)).tags.join('|') === 'fintech|a, b')
    assert.equal((await contactIn(org, ada.id)).full_name, 'Ada Lovelace')
  })

  test('what is wrong is said at the field and not sent; a failed save brings the old value back', async (t) => {
    const org = await kith.org()
    const ada = await addAda(org)
    const page = await open(browser.page(t, kith, { org, allow: [/503/] }), ada.id)
    await page.getByRole('button', { name: 'Edit email: ada@example.com' }).click()
    const email = page.getByLabel('Email', { exact: true })
    await email.fill('ada@')
    await press(page, 'Enter')
    await page.getByText('Enter an email address like name@example.com').waitFor()
    await axe(page, 'a field with a fault')
    let isRefused = true
    await page.route('**/ui/contacts/*', (route) =>
      route.request().method() === 'PATCH' && isRefused
        ? route.fulfill({ status: 503, json: { error: 'unavailable', message: 'The database is away.' } })
        : route.continue(),
    )
    await email.fill('ada@example.org')
    await press(page, 'Enter')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.getByRole('button', { name: 'Edit email: ada@example.com' }).waitFor()
    isRefused = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await eventually('it is saved', async () => (await contactIn(org, ada.id)).email === 'ada@example.org')
  })

  test('the stage is set from the menu of the header', async (t) => {
    const org = await kith.org()
    const ada = await addAda(org)
    const page = await open(browser.page(t, kith, { org }), ada.id)
    await page.getByRole('button', { name: 'Stage lead. Change stage' }).click()
    await axe(page, 'the stage menu')
    await page.getByRole('menuitemradio', { name: 'won' }).click()
    await page.getByRole('button', { name: 'Stage won. Change stage' }).waitFor()
    await page.getByText('Stage: lead → won').waitFor()
    assert.equal((await contactIn(org, ada.id)).deal_stage, 'won')
  })

  test('who else changes the field under an open editor is named, and one says whose value stays', async (t) => {
    const org = await kith.org()
    const ada = await addAda(org)
    const grace = await kith.ui(org, 'member', { name: 'Grace' })
    const page = await open(browser.page(t, kith, { org }), ada.id)
    const change = (location: string) => grace.patch(`/contacts/${ada.id}`, { location })
    await page.getByRole('button', { name: 'Edit location: Add location' }).click()
    await page.getByLabel('Location').fill('Mine')
    await change('Theirs')
    await page.getByText('Changed by Grace just now: Theirs').waitFor()
    await axe(page, 'a change under an open editor')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByLabel('Location').focus()
    await press(page, 'Enter')
    await eventually('mine is saved', async () => (await contactIn(org, ada.id)).location === 'Mine')

    await page.getByRole('button', { name: 'Edit location: Mine' }).click()
    await page.getByLabel('Location').fill('Mine again')
    await change('Theirs again')
    await page.getByRole('button', { name: 'Use theirs' }).click()
    await page.getByRole('button', { name: 'Edit location: Theirs again' }).waitFor()
    assert.equal((await contactIn(org, ada.id)).location, 'Theirs again')
  })

  test('a note is written, edited and deleted by keyboard and mouse; a change from elsewhere appears by itself', async (t) => {
    const org = await kith.org()
    const ada = await addAda(org)
    const page = await open(browser.page(t, kith, { org }), ada.id)
    await page.getByRole('button', { name: 'Add note' }).click()
    await eventually('the composer has the focus', async () => (await focused(page)).includes('Write a note'))
    await page.keyboard.type('Likes tea <b>very</b> much')
    await press(page, 'Control+Enter')
    const note = page.getByRole('article').filter({ hasText: 'Likes tea <b>very</b> much' })
    await note.waitFor()
    assert.equal(await page.getByLabel('Write a note').inputValue(), '')
    await note.getByRole('button', { name: 'Edit note' }).click()
    await page.getByLabel('Text', { exact: true }).fill('Likes coffee')
    await page.getByRole('button', { name: 'Save changes' }).click()
    const edited = page.getByRole('article').filter({ hasText: 'Likes coffee' })
    await edited.getByText(', edited').waitFor()
    await edited.getByRole('button', { name: 'Delete note' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete note' }).click()
    await edited.waitFor({ state: 'detached' })
    await kith.db.write((tx) => changeContact(tx, org.actor, ada.id, { deal_stage: 'qualified' }))
    await page.getByText('Stage: lead → qualified').waitFor()
  })

  test('deleting says what goes along, begins on Cancel, and leads back to the list', async (t) => {
    const org = await kith.org()
    const ada = await addAda(org)
    const page = await open(browser.page(t, kith, { org }), ada.id)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete contact' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete Ada Lovelace?' })
    await dialog.getByText('This also deletes 1 activity. It cannot be undone.').waitFor()
    await eventually('Cancel has the focus', async () => (await focused(page)).includes('Cancel'))
    await axe(page, 'the question before a deletion')
    await dialog.getByRole('button', { name: 'Delete contact' }).click()
    await page.waitForURL('**/contacts')
    assert.equal((await org.api.get(`/contacts/${ada.id}`)).status, 404)
  })

  test('a member sees no webhook deliveries of a contact', async (t) => {
    const org = await kith.org()
    const ada = await addAda(org)
    const page = await open(browser.page(t, kith, { org, role: 'member' }), ada.id)
    assert.deepEqual(await page.getByRole('tab').allTextContents(), ['Activity', 'Tasks'])
  })

  test('a contact that is not there says so', async (t) => {
    const org = await kith.org()
    const page = await browser.page(t, kith, { org, allow: [/404/] })
    await page.goto('/contacts/00000000-0000-7000-8000-000000000000')
    await page.getByText('This contact does not exist or was deleted.').waitFor()
    await axe(page)
    await page.getByRole('link', { name: 'Back to contacts' }).click()
    await page.waitForURL('**/contacts')
  })

  test('[ and ] go through the list that one came from', async (t) => {
    const org = await kith.org()
    for (const full_name of ['Cleo', 'Bob', 'Ada']) await org.addContact({ full_name })
    const page = await browser.page(t, kith, { org })
    await page.goto('/contacts?sort=name')
    await page.getByRole('link', { name: 'Ada' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()
    await press(page, ']')
    await page.getByRole('heading', { level: 1, name: 'Bob' }).waitFor()
    await press(page, ']')
    await page.getByRole('heading', { level: 1, name: 'Cleo' }).waitFor()
    await press(page, ']')
    await page.getByText('This is the last contact of the list.').waitFor()
    await press(page, '[')
    await page.getByRole('heading', { level: 1, name: 'Bob' }).waitFor()
  })

  test('a new contact that may be there already is asked about first', async (t) => {
    const org = await kith.org()
    await addAda(org)
    const page = await browser.page(t, kith, { org })
    await page.goto('/contacts')
    await settled(page)
    await page.getByRole('button', { name: 'New contact' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New contact' })
    await dialog.getByLabel('Name', { exact: true }).fill('ada lovelace')
    await dialog.getByLabel('Company').fill('ACME')
    await dialog.getByRole('button', { name: 'Create contact' }).click()
    await dialog.getByText('There is already an Ada Lovelace at Acme.').waitFor()
    await axe(page, 'a possible duplicate')
    assert.equal((await org.api.get('/contacts')).body.meta.count, 1)
    await dialog.getByRole('button', { name: 'Create anyway' }).click()
    await page.getByText('ada lovelace was created.').waitFor()
    assert.equal((await org.api.get('/contacts')).body.meta.count, 2)
    await page.getByRole('button', { name: 'Open contact' }).click()
    await page.getByRole('heading', { level: 1, name: 'ada lovelace' }).waitFor()
  })

  test('a contact needs a name or a company: the dialog says so and keeps what was typed', async (t) => {
    const org = await kith.org()
    const page = await browser.page(t, kith, { org, allow: [/422/] })
    await page.goto('/contacts')
    await settled(page)
    await page
      .getByRole('button', { name: /New contact|Add a contact/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'New contact' })
    await dialog.getByLabel('Phone').fill('123')
    await dialog.getByRole('button', { name: 'Create contact' }).click()
    await dialog.getByText('A contact needs a name or a company.').waitFor()
    assert.equal(await dialog.getByLabel('Phone').inputValue(), '123')
  })

  for (const width of [1366, 320]) {
    for (const theme of ['light', 'dark'] as const) {
      test(`the page is in order at ${width} px, ${theme}`, async (t) => {
        const org = await kith.org()
        const { id } = await org.addContact({
          full_name: 'Ada'.repeat(60),
          email: 'ada@example.com',
          deal_stage: 'negotiation',
          deal_value: 48_200.5,
          label: 'hot',
          tags: ['fintech', 'x'.repeat(64)],
        })
        const page = await open(browser.page(t, kith, { org, width, theme }), id)
        await axe(page)
        await assertNoSideScroll(page)
        await page.getByRole('tab', { name: 'Tasks' }).click()
        await settled(page)
        await axe(page, 'the tasks of a contact')
        await page.getByRole('tab', { name: 'Webhook deliveries' }).click()
        await settled(page)
        await axe(page, 'the deliveries of a contact')
        await assertNoSideScroll(page)
      })
    }
  }
})

async function open(opening: Promise<GuardedPage>, id: string): Promise<GuardedPage> {
  const page = await opening
  await page.goto(`/contacts/${id}`)
  await page.getByRole('tab', { name: 'Activity' }).waitFor()
  await settled(page)
  return page
}
