import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { findChromium } from './chromium.ts'

/** A browser may have to be installed first. */
export const PATIENCE_MS = 300_000

/** Debian's browser for the tests of a file; where there is none, and nobody expects one, they are skipped and say why. */
export function useBrowser(): () => Browser {
  let browser: Browser | string = 'no browser yet'
  beforeAll(async () => {
    browser = await openBrowser()
  }, PATIENCE_MS)
  afterAll(async () => {
    if (typeof browser !== 'string') await browser.close()
  })
  beforeEach((context) => {
    if (typeof browser === 'string') context.skip(browser)
  })
  return () => {
    if (typeof browser === 'string') throw new Error(browser)
    return browser
  }
}

async function openBrowser(): Promise<Browser | string> {
  try {
    return await chromium.launch({ executablePath: await findChromium() })
  } catch (error) {
    if (process.env['CI'] === 'true') throw error
    return (error as Error).message
  }
}
