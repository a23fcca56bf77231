import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Server, serveHttp } from '../../src/index.ts'
import { gallery } from './gallery.ts'

export interface Visit extends AsyncDisposable {
  readonly page: Page
  /** What went wrong in the page: errors, and what its policy refused. */
  readonly complaints: readonly string[]
  /** The address with its key. */
  readonly address: string
  /** Chooses something on the left. */
  choose(name: string | RegExp): Promise<void>
  /** Presses the button that calls, and waits for the first result. */
  call(): Promise<void>
}

export interface Visiting extends BrowserContextOptions {
  readonly server?: Server
  /** Instead of the console's own address. */
  readonly at?: (address: string) => string
}

/** A server with its console, and a page that has been opened on it. */
export async function visit(
  browser: Browser,
  { server = gallery(), at, ...options }: Visiting = {},
): Promise<Visit> {
  const listening = await serveHttp(server, { port: 0, supervise: false, greeting: 'none', console: true })
  const address = listening.console ?? ''
  const context = await browser.newContext({
    viewport: { width: 1360, height: 860 },
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(at === undefined ? address : at(address))
  return {
    page,
    complaints,
    address,
    choose: async (name) => {
      const left = page.getByRole('navigation', { name: 'Catalogue' })
      await left
        .getByRole('button', { name, exact: typeof name === 'string' })
        .first()
        .click()
    },
    call: async () => {
      await page.locator('main').getByRole('button', { name: /^Call/ }).click()
      await page.locator('.call.done, .call.failed').first().waitFor()
    },
    [Symbol.asyncDispose]: async () => {
      await context.close()
      await listening.close()
    },
  }
}

/** Waits for a fact about the page; its policy lets no function be made of text, so it is asked from outside. */
export async function until(where: Page | Frame, fact: string): Promise<void> {
  await expect.poll(() => where.evaluate(fact), { timeout: 60_000, message: fact }).toBe(true)
}

/** What axe-core finds wrong with the page as it is drawn, in a few words each. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const found = (await page.evaluate('axe.run(document, { iframes: false })')) as {
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[]
  }
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`),
  )
}
