import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GuardedPage, withBrowser } from '../support/browser.ts'
import { assertNoSideScroll, axe, eventually, focused, press, settled } from '../support/browser-checks.ts'
import type { Org } from '../support/org.ts'

const DAY_MS = 86_400_000

withBrowser((browser, kith) => {
  test('tasks stand in groups by when they are due; what is overdue says so in words', async (t) => {
    const org = await kith.org()
    await someTasks(org)
    const page = await open(browser.page(t, kith, { org }))
    for (const [group, title] of [
      ['overdue', 'Late'],
      ['week', 'Soon'],
      ['later', 'Far'],
      ['none', 'Any time'],
    ]) {
      await groupOf(page, group!).getByRole('button', { name: title, exact: true }).waitFor()
    }
    await groupOf(page, 'overdue').getByText('Overdue: 2 days ago').waitFor()
    await groupOf(page, 'today').getByText('Nothing due today.').waitFor()
    await axe(page)
    await page.goto('/tasks?due=overdue')
    await groupOf(page, 'overdue').waitFor()
    assert.equal(await page.locator('[data-group]').count(), 1)
  })

  test('Enter adds one task after another, due and about whom as chosen', async (t) => {
    const org = await kith.org()
    const ada = await org.addContact({ full_name: 'Ada Quill' })
    const page = await open(browser.page(t, kith, { org }))
    const form = page.getByRole('form', { name: 'Add a task' })
    const title = form.getByRole('textbox', { name: 'New task' })
    await form.getByRole('button', { name: /Due/ }).click()
    await page.getByRole('option', { name: 'Tomorrow' }).click()
    await form.getByRole('combobox', { name: 'Contact' }).fill('quill')
    await page.getByRole('option', { name: /Ada Quill/ }).click()
    await title.fill('First')
    await title.press('Enter')
    await groupOf(page, 'week').getByRole('button', { name: 'First', exact: true }).waitFor()
    await eventually('the field is empty', async () => (await title.inputValue()) === '')
    assert.match(await focused(page), /^textbox "New task"/)
    await page.keyboard.type('Second')
    await press(page, 'Enter')
    await groupOf(page, 'week').getByRole('button', { name: 'Second', exact: true }).waitFor()
    const { data } = (await org.api.get('/tasks')).body
    assert.deepEqual(
      data.map((task: { title: string; contact_id: string }) => [task.title, task.contact_id]),
      [
        ['First', ada.id],
        ['Second', ada.id],
      ],
    )
    assert.equal((await org.eventNames()).filter((name) => name === 'task.created').length, 2)
  })

  test('a task without a title is refused at its field, and nothing is made', async (t) => {
    const org = await kith.org()
    const page = await open(browser.page(t, kith, { org }))
    await page.getByRole('button', { name: 'Add task' }).click()
    await page.getByText('Title must not be empty.').waitFor()
    assert.match(await focused(page), /^textbox "New task"/)
    assert.deepEqual((await org.api.get('/tasks')).body.data, [])
  })

  test('the round button marks done, Undo sets open again', async (t) => {
    const org = await kith.org()
    const { late } = await someTasks(org)
    const page = await open(browser.page(t, kith, { org }))
    await page.getByRole('button', { name: 'Mark done: Late' }).click()
    await page.getByText('Task done.').waitFor()
    await eventually('the row is gone', async () => (await rowOf(page, late.id).count()) === 0)
    await eventually('the server has it', async () => (await statusOf(org, late.id)) === 'done')
    await page.getByRole('button', { name: 'Undo' }).click()
    await rowOf(page, late.id).waitFor()
    await eventually('the server has it back', async () => (await statusOf(org, late.id)) === 'open')
    assert.equal((await org.eventNames()).filter((name) => name === 'task.completed').length, 1)
  })

  test('by keyboard: arrows go from task to task, x marks done and goes on, d sets due, Enter edits', async (t) => {
    const org = await kith.org()
    const { late, soon, far } = await someTasks(org)
    const page = await open(browser.page(t, kith, { org }))
    const isOn = (name: string) => eventually(name, async () => (await focused(page)) === `button "${name}"`)
    await page.getByRole('button', { name: 'Late', exact: true }).focus()
    await press(page, 'ArrowDown')
    await isOn('Soon')
    await press(page, 'ArrowUp')
    await isOn('Late')
    await press(page, 'x')
    await isOn('Soon')
    await eventually('the server has it', async () => (await statusOf(org, late.id)) === 'done')
    await press(page, 'd')
    await page.getByRole('menuitem', { name: 'No date' }).waitFor()
    await axe(page, 'the menu of a date')
    await page.getByRole('menuitem', { name: 'No date' }).press('Enter')
    await groupOf(page, 'none').getByRole('button', { name: 'Soon', exact: true }).waitFor()
    await eventually('the server has it', async () => (await taskOf(org, soon.id)).due_at === null)
    await page.getByRole('button', { name: 'Far', exact: true }).focus()
    await press(page, 'Enter')
    const field = page.getByRole('dialog').getByRole('textbox', { name: 'Title' })
    await field.waitFor()
    await axe(page, 'the dialog of a task')
    await field.fill('Farther')
    await field.press('Enter')
    await page.getByRole('button', { name: 'Farther', exact: true }).waitFor()
    await eventually('the server has it', async () => (await taskOf(org, far.id)).title === 'Farther')
    await isOn('Farther')
  })

  test('the list is one Tab stop with the controls of one row', async (t) => {
    const org = await kith.org()
    await someTasks(org)
    const page = await open(browser.page(t, kith, { org }))
    await page.getByRole('button', { name: 'Mark done: Late' }).focus()
    const stops: string[] = []
    for (let at = 0; at < 3; at++) {
      await press(page, 'Tab')
      stops.push(await focused(page))
    }
    assert.equal(stops[0], 'button "Late"')
    assert.match(stops[1]!, /button "Overdue: 2 days ago \(.+\): Late"/)
    assert.equal(stops[2], 'button "More for Late"')
  })

  test('a change that the server refuses is taken back and told', async (t) => {
    const org = await kith.org()
    const { late } = await someTasks(org)
    const page = await open(browser.page(t, kith, { org, allow: [/503/] }))
    await page.route('**/ui/tasks/*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 503, contentType: 'application/json', body: '{"error":"unavailable","message":"x"}' })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Mark done: Late' }).click()
    await page.getByRole('alert').getByText('“Late” was not changed.').waitFor()
    await rowOf(page, late.id).waitFor()
    assert.equal(await statusOf(org, late.id), 'open')
    await page.unroute('**/ui/tasks/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await eventually('the server has it', async () => (await statusOf(org, late.id)) === 'done')
  })

  test('done shows done and completed ones, from where they are reopened; cancelled has its own tab', async (t) => {
    const org = await kith.org()
    const { late, soon, far } = await someTasks(org)
    await org.api.patch(`/tasks/${late.id}`, { status: 'done' })
    await org.api.patch(`/tasks/${soon.id}`, { status: 'completed' })
    const page = await open(browser.page(t, kith, { org }))
    await page.getByRole('button', { name: 'More for Far' }).click()
    await page.getByRole('menuitem', { name: 'Cancel task' }).click()
    await eventually('the server has it', async () => (await statusOf(org, far.id)) === 'cancelled')
    await page.getByRole('tab', { name: 'Done' }).click()
    await page.waitForURL('**/tasks?status=done')
    await rowOf(page, soon.id).waitFor()
    await axe(page, 'what is done')
    await page.getByRole('button', { name: 'Reopen: Late' }).click()
    await eventually('the server has it', async () => (await statusOf(org, late.id)) === 'open')
    await page.getByRole('tab', { name: 'Cancelled' }).click()
    await rowOf(page, far.id).waitFor()
  })

  test('what the API adds and changes shows without a reload', async (t) => {
    const org = await kith.org()
    const { late } = await someTasks(org)
    const page = await open(browser.page(t, kith, { org }))
    await org.addTask({ title: 'From a program' })
    await page.getByRole('button', { name: 'From a program', exact: true }).waitFor()
    await org.api.patch(`/tasks/${late.id}`, { title: 'Later' })
    await page.getByRole('button', { name: 'Later', exact: true }).waitFor()
  })

  for (const width of [375, 320]) {
    test(`at ${width} px: no scrolling sideways, no axe violation, a task is added and done`, async (t) => {
      const org = await kith.org()
      await someTasks(org)
      const page = await open(browser.page(t, kith, { org, width }))
      await assertNoSideScroll(page)
      await axe(page, `/tasks at ${width}`)
      const title = page.getByRole('textbox', { name: 'New task' })
      await title.tap()
      await assertNoSideScroll(page)
      await axe(page, `/tasks at ${width}, adding`)
      await title.fill('On the way')
      await title.press('Enter')
      await page.getByRole('button', { name: 'Mark done: On the way' }).tap()
      await page.getByText('Task done.').waitFor()
    })
  }
})

async function someTasks(org: Org) {
  const due = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
  const ada = await org.addContact({ full_name: 'Ada' })
  const late = await org.addTask({ title: 'Late', due_at: due(-2), priority: 'urgent', category: 'call' })
  const soon = await org.addTask({ title: 'Soon', due_at: due(2), contact_id: ada.id, category: 'email' })
  const far = await org.addTask({ title: 'Far', due_at: due(40), priority: 'low' })
  const any = await org.addTask({ title: 'Any time' })
  return { ada, late, soon, far, any }
}

async function open(opened: Promise<GuardedPage>): Promise<GuardedPage> {
  const page = await opened
  await page.goto('/tasks')
  await settled(page)
  return page
}

function groupOf(page: GuardedPage, group: string) {
  return page.locator(`[data-group="${group}"]`)
}

function rowOf(page: GuardedPage, id: string) {
  return page.locator(`[data-task="${id}"]`)
}

async function taskOf(org: Org, id: string): Promise<{ title: string; status: string; due_at: string | null }> {
  const { data } = (await org.api.get('/tasks?limit=200')).body
  return data.find((task: { id: string }) => task.id === id)
}

async function statusOf(org: Org, id: string): Promise<string> {
  return (await taskOf(org, id)).status
}
