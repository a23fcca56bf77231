import { afterAll, expect, it } from 'vitest'
import { useBrowser } from '../setup/browser.ts'
import { KEY, killAll, Moonphase } from './moonphase.ts'

const browser = useBrowser()

afterAll(killAll)

it('goes through time by its slider, from a place, and keeps both in its address', async () => {
  const server = new Moonphase({ MOONPHASE_API_KEY: KEY }, ['--port', '0', '--page'])
  const base = (await server.url()).replace('/mcp', '')
  const page = await browser().newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(`${base}/#datetime=2026-11-09T07:02:00Z`)
  await page.getByText('new moon', { exact: true }).waitFor()
  await page.locator('#slider').fill(String(15 * 24 * 60))
  await page.getByText('full moon', { exact: true }).waitFor()
  expect(await page.locator('#there').isVisible()).toBe(false)
  await page.locator('#latitude').fill('-33.9')
  await page.locator('#longitude').fill('18.4')
  await page.locator('#there').waitFor()
  expect(await page.locator('#face').getAttribute('transform')).toMatch(/^rotate\((1[2-9]\d|2[0-3]\d)\)$/)
  await page.waitForFunction("location.hash.includes('latitude=-33.9')")
  expect(complaints).toEqual([])
  if (process.env['PICTURE'] !== undefined) await page.screenshot({ path: process.env['PICTURE'] })
})
