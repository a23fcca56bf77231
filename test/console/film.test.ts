import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PATIENCE_MS, useBrowser } from '../setup/browser.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PICTURES = join(ROOT, 'docs', 'pictures')

/** Small enough for a README. */
const PICTURE_SCALE = 0.6

const browser = useBrowser()

/** What `npm start` starts once it has built: gives the address that it prints. */
async function start(): Promise<{ readonly child: ChildProcess; readonly address: string }> {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'dist', 'cli', 'bin', 'perigee.js'), 'start', '--port', '0'],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    const hear = (chunk: Buffer) => {
      said += chunk.toString()
      const [found] = /http:\/\/\S+\/console#\S+/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('exit', () => reject(new Error(`It ended: ${said}`)))
  })
  return { child, address }
}

it(
  'leads from the command to the first result, without anything to read',
  async () => {
    const { child, address } = await start()
    const context = await browser().newContext({
      viewport: { width: 1120, height: 700 },
      deviceScaleFactor: PICTURE_SCALE,
      reducedMotion: 'reduce',
      colorScheme: 'light',
    })
    try {
      const page = await context.newPage()
      const picture = async (name: string) => {
        if (process.env['UPDATE_PICTURES'] === undefined) return
        mkdirSync(PICTURES, { recursive: true })
        await page.screenshot({ path: join(PICTURES, `console-${name}.png`) })
      }
      await page.goto(address)
      await page.getByRole('heading', { name: 'Begin with one of these' }).waitFor()
      await picture('1-overview')
      await page.locator('.suggestions button').first().click()
      await page.getByRole('heading', { level: 1, name: 'Phase of the Moon' }).waitFor()
      await picture('2-form')
      await page.locator('main').getByRole('button', { name: /^Call/ }).click()
      const app = page.frameLocator('iframe.app')
      await app.locator('#facts').waitFor()
      expect(await app.locator('#phase').textContent()).toMatch(/moon|crescent|quarter|gibbous/i)
      await page.locator('.call').scrollIntoViewIfNeeded()
      await page.emulateMedia({ colorScheme: 'dark' })
      await picture('3-result')
      await page.getByRole('button', { name: /In all/ }).click()
      await expect.poll(() => page.locator('.compare thead .dot.done').count(), { timeout: 60_000 }).toBe(5)
      await page.getByRole('button', { name: /^Differences/ }).click()
      await picture('4-revisions')
      const paint = await page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0]?.startTime",
      )
      console.log(`first paint after ${Number(paint).toFixed(0)} ms`)
    } finally {
      await context.close()
      child.kill()
    }
  },
  PATIENCE_MS,
)
