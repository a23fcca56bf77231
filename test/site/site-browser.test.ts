import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../console/visit.ts'
import { PATIENCE_MS, useBrowser } from '../setup/browser.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGES = ['index.html', 'docs/AUTHORS.html', 'docs/guide/troubleshooting.html', 'reference/client.html']
const out = mkdtempSync(join(tmpdir(), 'perigee-site-'))
const browser = useBrowser()

beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, 'site', 'build.mjs'), out])
}, PATIENCE_MS)

afterAll(() => rmSync(out, { recursive: true, force: true }))

/** Opens a page as a file, which is the least that a site can be served by. */
async function look(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser().newContext(options)).newPage()
  page.on('pageerror', (error) => expect.unreachable(error.message))
  await page.goto(pathToFileURL(join(out, path)).href)
  return page
}

describe.each(PAGES)('%s', (path) => {
  it.each(['light', 'dark'] as const)('has nothing that axe complains of, %s', async (colorScheme) => {
    const page = await look(path, { colorScheme })
    expect(await violations(page)).toEqual([])
  })

  it('fits a narrow screen', async () => {
    const page = await look(path, { viewport: { width: 360, height: 740 } })
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    expect(await page.evaluate("document.querySelector('.menu').open")).toBe(false)
  })
})

it('finds by the keyboard alone what is searched for', async () => {
  const page = await look('docs/AUTHORS.html')
  await page.keyboard.press('/')
  await page.keyboard.type('rate limit')
  await page.locator('#found li').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/reference\/perigee\.html#rateLimit$/)
})

it('finds what is asked in whole sentences, whose small words are everywhere', async () => {
  const page = await look('index.html')
  await page.keyboard.press('/')
  await page.keyboard.type('what is the rate limit of a server')
  await page.locator('#found li', { hasText: 'rateLimit' }).first().waitFor()
})

it('forgets what was found when Escape is pressed', async () => {
  const page = await look('index.html')
  await page.keyboard.press('/')
  await page.keyboard.type('rate limit')
  await page.locator('#found li a').first().waitFor()
  await page.keyboard.press('Escape')
  expect(await page.locator('#found li').count()).toBe(0)
  await page.keyboard.press('ArrowDown')
  expect(await page.locator('#search').getAttribute('aria-activedescendant')).toBeNull()
})

it('says when there is nothing', async () => {
  const page = await look('index.html')
  await page.keyboard.press('/')
  await page.keyboard.type('xyzzy')
  await page.getByText('Nothing found').waitFor()
})

it.each(['light', 'dark'] as const)('charts are %s where the page is', async (colorScheme) => {
  const other = colorScheme === 'light' ? 'dark' : 'light'
  const page = await look('bench/results/latest.html', { colorScheme: other })
  await page.getByRole('button', { name: 'Light or dark' }).click()
  const chart = page.locator('main img').first()
  await chart.scrollIntoViewIfNeeded()
  const colourOf = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)
  expect(await colourOf('main img')).toBe(await colourOf('body'))
  const picture = `data:image/png;base64,${(await chart.screenshot()).toString('base64')}`
  expect(await page.evaluate(`(${INK})('${picture}')`)).toBe(colorScheme === 'light' ? 'dark' : 'light')
})

/** In the page: whether what differs most from the ground in the chart's first line is light or dark. */
const INK = `async (address) => {
  const image = await createImageBitmap(await (await fetch(address)).blob())
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const red = context.getImageData(20, 8, 220, 28).data.filter((_, at) => at % 4 === 0)
  const far = (one) => Math.abs(one - red[0])
  return red.reduce((most, one) => (far(one) > far(most) ? one : most)) > 128 ? 'light' : 'dark'
}`

it('stays light or dark as somebody has chosen', async () => {
  const page = await look('index.html', { colorScheme: 'light' })
  const colour = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const before = await colour()
  await page.getByRole('button', { name: 'Light or dark' }).click()
  expect(await colour()).not.toBe(before)
  await page.reload()
  expect(await colour()).not.toBe(before)
})
