/** Coming in: the first run, signing in and again, invitations, and one's own settings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GuardedPage, withBrowser } from '../support/browser.ts'
import { assertNoSideScroll, axe, eventually, focused, press, settled } from '../support/browser-checks.ts'
import { engines } from '../support/databases.ts'
import { Kith } from '../support/kith.ts'
import { PASSWORD } from '../support/ui.ts'

withBrowser((browser, kith) => {
  const signIn = async (page: GuardedPage, email: string, password = PASSWORD) => {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const path = (page: GuardedPage) => page.url().slice(kith.url.length)

  test('whoever signs in comes back to the page that was asked for', async (t) => {
    const { member } = await kith.ui(await kith.org(), 'admin')
    const page = await browser.page(t, kith)
    await page.goto('/settings/members')
    await settled(page)
    assert.match(path(page), /^\/sign-in\?/)
    assert.equal(await focused(page), 'textbox "Email"')
    await signIn(page, member.email, 'a wrong password')
    await page.getByText('Email or password is wrong.').waitFor()
    assert.equal(await page.getByLabel('Email').inputValue(), member.email)
    await axe(page, 'a refused sign-in')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await press(page, 'Enter')
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    assert.equal(path(page), '/settings/members')
  })

  test('an address that leads elsewhere is not followed after signing in', async (t) => {
    const { member } = await kith.ui(await kith.org())
    const page = await browser.page(t, kith)
    await page.goto('/sign-in?to=%2F%2Fevil.example%2Fcontacts')
    await signIn(page, member.email)
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    assert.ok(page.url().startsWith(kith.url))
  })

  test('too many tries are told with how long to wait', async (t) => {
    const { member } = await kith.ui(await kith.org())
    const page = await browser.page(t, kith)
    await page.goto('/sign-in')
    for (let i = 0; i < 5; i++)
      await kith.client.post('/ui/sign-in', { email: member.email, password: 'wrong' }, { origin: kith.url })
    await signIn(page, member.email)
    await page.getByText('Too many tries. Try again in 1 minute.').waitFor()
  })

  test('a password can be shown, and somebody else’s page keeps nothing of it', async (t) => {
    const { member } = await kith.ui(await kith.org())
    const page = await browser.page(t, kith)
    await page.goto('/sign-in')
    await page.getByLabel('Password', { exact: true }).fill('secret')
    await page.getByRole('button', { name: 'Show password' }).click()
    assert.equal(await page.getByLabel('Password', { exact: true }).getAttribute('type'), 'text')
    await page.getByRole('button', { name: 'Hide password' }).click()
    await signIn(page, member.email)
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    const kept = await page.evaluate('JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])')
    assert.doesNotMatch(String(kept), /kith=|@example|quiet/)
  })

  test('a session that ends asks for the password over the page, and what was typed stays', async (t) => {
    const org = await kith.org()
    const page = await browser.page(t, kith, { org })
    await page.goto('/settings/you')
    await settled(page)
    await page.getByLabel('Your name').fill('Half typed')
    await page.person!.post('/sign-out')
    await page.getByRole('button', { name: 'Save name' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await axe(page, 'sign in again')
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Half typed')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByText('Name saved.').waitFor()
  })

  test('signing out leaves nothing behind the sign-in page', async (t) => {
    const page = await browser.page(t, kith, { org: await kith.org({ name: 'Secret Society' }) })
    await page.goto('/contacts')
    await settled(page)
    await page.getByRole('button', { name: /: menu$/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    assert.doesNotMatch(await page.content(), /Secret Society/)
    await signIn(page, page.person!.member.email)
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
  })

  test('an admin invites somebody, who joins with the link', async (t) => {
    const org = await kith.org({ name: 'Analytical Engines' })
    const admin = await browser.page(t, kith, { org })
    await admin.goto('/settings/members')
    await settled(admin)
    await admin.getByRole('button', { name: 'Invite' }).click()
    await admin.getByLabel('Email').fill('not an address')
    await admin.getByRole('button', { name: 'Make link' }).click()
    await eventually('the field has the focus', async () => (await focused(admin)).startsWith('textbox "Email"'))
    await axe(admin, 'a refused invitation')
    await admin.getByLabel('Email').fill('bo@example.com')
    await admin.getByRole('button', { name: 'Make link' }).click()
    const link = await admin.getByLabel('Link', { exact: true }).inputValue()
    await axe(admin, 'the link of an invitation')
    await admin.getByRole('button', { name: 'I have stored it' }).click()
    await admin.getByRole('grid', { name: 'Invitations' }).getByText('bo@example.com').waitFor()

    const guest = await browser.page(t, kith)
    await guest.goto(link)
    await guest.getByRole('heading', { level: 1, name: 'Join Analytical Engines' }).waitFor()
    assert.equal(path(guest), '/invitation', 'the token is out of the address')
    await axe(guest, 'an open invitation')
    await guest.getByLabel('Your name').fill('Bo Diddley')
    await guest.getByLabel('New password').fill('short')
    await guest.getByText('7 more characters.').waitFor()
    await guest.getByRole('button', { name: 'Join' }).click()
    await guest
      .getByText(/^New password must be|^Password must be at least 12/)
      .first()
      .waitFor()
    await guest.getByLabel('New password').fill(PASSWORD)
    await guest.getByRole('button', { name: 'Join' }).click()
    await guest.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    await admin.getByRole('grid', { name: 'Members' }).getByText('Bo Diddley').waitFor()
    assert.equal(await admin.getByRole('grid', { name: 'Invitations' }).count(), 0)

    const late = await browser.page(t, kith)
    await late.goto(link)
    await late.getByRole('heading', { level: 1, name: 'This link no longer works' }).waitFor()
  })

  test('an admin changes a role, makes a reset link and removes a member; a member sees no such thing', async (t) => {
    const org = await kith.org()
    const { member, ...person } = await kith.ui(org, 'member', { name: 'Bo Diddley' })
    const admin = await browser.page(t, kith, { org })
    const menu = async (item: string) => {
      await admin.getByRole('button', { name: 'Actions for Bo Diddley' }).click()
      await admin.getByRole('menuitem', { name: item }).click()
    }
    await admin.goto('/settings/members')
    await settled(admin)
    await menu('Reset password')
    await admin.getByRole('button', { name: 'Make link' }).click()
    const link = await admin.getByLabel('Link', { exact: true }).inputValue()
    await admin.getByRole('button', { name: 'I have stored it' }).click()
    const bo = await browser.page(t, kith)
    await bo.goto(link)
    await bo.getByLabel('New password').fill('another good password')
    await bo.getByRole('button', { name: 'Save password' }).click()
    await bo.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    assert.equal((await person.get('/session')).status, 401)

    await bo.goto('/settings/members')
    await settled(bo)
    assert.equal(await bo.getByRole('button', { name: /^Actions for|^Invite$/ }).count(), 0)
    await menu('Change role')
    await admin.getByRole('button', { name: 'Make admin' }).click()
    await admin.getByText('Bo Diddley is an admin now.').waitFor()
    await menu('Remove')
    await axe(admin, 'before a removal')
    await admin.getByRole('button', { name: 'Remove member' }).click()
    await eventually(
      'Bo is gone',
      async () => !(await admin.getByRole('grid').first().innerText()).includes(member.email),
    )
  })

  test('people change their own settings, and theme and density hold at once', async (t) => {
    const page = await browser.page(t, kith, { org: await kith.org() })
    await page.goto('/settings/you')
    await settled(page)
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
    await page.getByRole('radio', { name: 'Compact' }).check({ force: true })
    const dress = () => page.evaluate('JSON.stringify({ ...document.documentElement.dataset })')
    assert.deepEqual(JSON.parse(String(await dress())), { theme: 'dark', density: 'compact' })
    await page.reload()
    await settled(page)
    assert.deepEqual(JSON.parse(String(await dress())), { theme: 'dark', density: 'compact' })

    await page.getByLabel('Current password').fill('not it')
    await page.getByLabel('New password').fill('another good password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('This is not your current password.').waitFor()
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText(/^Password changed/).waitFor()
    await axe(page, 'one’s own settings after changes')
  })

  for (const [width, theme] of [
    [1366, 'light'],
    [320, 'dark'],
  ] as const) {
    test(`a fresh server is set up in the browser, ${theme} at ${width} px`, async (t) => {
      const fresh = new Kith(engines[0]!)
      await fresh.open()
      const page = await browser.page(t, fresh, { width, theme })
      t.after(() => fresh.close())
      const check = async (what: string) => {
        await settled(page)
        await assertNoSideScroll(page)
        await axe(page, what)
      }
      await page.goto('/')
      await page.getByRole('heading', { level: 1, name: 'Organisation' }).waitFor()
      await check('set-up, first step')
      await page.getByRole('button', { name: 'Continue' }).click()
      await eventually('the first wrong field has the focus', async () =>
        (await focused(page)).startsWith('textbox "Set-up code"'),
      )
      await page.getByLabel('Set-up code').fill('ABCD-EFGH-JKLM-NPQR')
      await page.getByLabel('Name', { exact: true }).fill('Analytical Engines')
      assert.equal(await page.getByRole('combobox', { name: 'Currency' }).inputValue(), 'GBP British Pound')
      await page.getByRole('button', { name: 'Continue' }).click()

      await page.getByRole('heading', { level: 1, name: 'You' }).waitFor()
      await check('set-up, second step')
      await page.getByLabel('Your name').fill('Ada Lovelace')
      await page.getByLabel('Email').fill('ada@example.com')
      await page.getByLabel('Password', { exact: true }).fill('analytical engines')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText(/^That code does not match/).waitFor()
      await axe(page, 'set-up, a wrong code')
      await page.getByLabel('Set-up code').fill(fresh.setupCode!)
      await page.getByRole('button', { name: 'Continue' }).click()
      assert.equal(await page.getByLabel('Your name').inputValue(), 'Ada Lovelace', 'nothing is asked twice')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText("Password must not be the e-mail address or the org's name.").waitFor()
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Continue' }).click()

      await page.getByRole('heading', { level: 1, name: 'Start with' }).waitFor()
      await check('set-up, third step')
      await page.getByRole('button', { name: 'Start empty' }).click()
      await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
      await page.goto('/setup')
      await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    })
  }
})
