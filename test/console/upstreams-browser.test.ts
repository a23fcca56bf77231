import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PATIENCE_MS, useBrowser } from '../setup/browser.ts'
import { endAfterEach, ending } from '../upstream/gateway-of.ts'
import { changedGateway } from './changed-gateway.ts'
import { violations, visit } from './visit.ts'

endAfterEach()

const browser = useBrowser()

describe('the upstreams of a gateway', { timeout: PATIENCE_MS }, () => {
  it.each([
    ['light', 1360],
    ['dark', 1360],
    ['light', 360],
    ['dark', 360],
  ] as const)('are shown, and a changed tool is approved: %s, %i pixels wide', async (colorScheme, width) => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-panel-'))
    ending.push(() => rmSync(folder, { recursive: true, force: true }))
    const server = await changedGateway(join(folder, 'pins.json'))
    await using at = await visit(browser(), { server, colorScheme, viewport: { width, height: 800 } })
    const { page } = at
    const go = async (part: string) => {
      if (width < 900)
        await page.getByRole('navigation', { name: 'Parts of the page' }).getByText(part).click()
    }
    const fits = async (picture: string) => {
      if (process.env['PICTURES'] !== undefined)
        await page.screenshot({
          path: join(process.env['PICTURES'], `${picture}-${colorScheme}-${width}.png`),
        })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      expect(await violations(page)).toEqual([])
    }
    await go('Catalogue')
    await page.getByRole('heading', { name: 'Upstreams' }).waitFor()
    await at.choose(/web/)
    const middle = page.locator('.workspace')
    await middle.getByText('unreachable').first().waitFor()
    await middle.getByText('cannot be reached', { exact: false }).first().waitFor()
    await fits('unreachable')
    await go('Catalogue')
    await fits('list')
    await at.choose(/^files/)
    await page.getByRole('heading', { name: 'read has changed' }).waitFor()
    expect(await page.getByRole('button', { name: 'Approve the change' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show what has changed' }).click()
    await page.getByRole('cell', { name: /Tell nobody/ }).waitFor()
    await fits('changed')
    await page.getByRole('button', { name: 'Approve the change' }).click()
    await page.getByRole('heading', { name: 'read has changed' }).waitFor({ state: 'detached' })
    await go('Catalogue')
    await page
      .getByRole('navigation', { name: 'Catalogue' })
      .getByRole('button', { name: 'files_read' })
      .waitFor()
    expect(at.complaints).toEqual([])
  })
})
