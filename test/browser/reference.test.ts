/** The API reference is a page of the server's own, around the markup of Swagger UI. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBrowser } from '../support/browser.ts'
import { assertNoSideScroll, axe } from '../support/browser-checks.ts'

const NOT_OURS = ['nested-interactive', 'target-size', 'select-name', 'scrollable-region-focusable']

withBrowser((browser, kith) => {
  for (const width of [1366, 320]) {
    test(`the API reference can be read at ${width} px, with an operation open too`, async (t) => {
      const page = await browser.page(t, kith, { width })
      await page.goto('/docs')
      const operation = page.getByRole('button', { name: 'GET /api/v1/contacts List contacts' })
      await operation.waitFor()
      assert.equal(await page.locator('h1').count(), 1)
      await axe(page, '/docs', NOT_OURS)
      await assertNoSideScroll(page)
      await operation.click()
      await page.getByText('Parameters').first().waitFor()
      await axe(page, '/docs with an operation open', NOT_OURS)
    })
  }
})
