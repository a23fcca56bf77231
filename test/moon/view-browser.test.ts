import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Frame, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createTestClient, defineServer } from '../../src/index.ts'
import type { JsonObject } from '../../src/kernel/index.ts'
import { moon } from '../../src/modules/moon/index.ts'
import { useBrowser } from '../setup/browser.ts'

const HOST = readFileSync(join(import.meta.dirname, 'host.html'), 'utf8')

const browser = useBrowser()

const server = await createTestClient(defineServer({ name: 'sky', version: '1.0.0', modules: [moon()] }))

interface Shown extends AsyncDisposable {
  readonly page: Page
  readonly view: Frame
  /** What went wrong in the page. */
  readonly complaints: readonly string[]
}

/** Has the host show the tool's page with what the tool answers. */
async function show(args: JsonObject, hostContext: JsonObject = {}): Promise<Shown> {
  const result = await server.callTool('moonphase', args)
  const html = await pageOf('moonphase')
  const page = await browser().newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.setContent(HOST)
  await page.evaluate(`show(${JSON.stringify({ html, args, result, hostContext })})`)
  const view = page.frames().at(-1) ?? page.mainFrame()
  await view.locator('#facts').waitFor()
  return { page, view, complaints, [Symbol.asyncDispose]: () => page.close() }
}

interface Shows {
  readonly name: string
  readonly _meta: { readonly ui: { readonly resourceUri: string } }
}

/** The page that the tool says it is shown by. */
async function pageOf(name: string): Promise<string> {
  const { tools } = (await server.request('tools/list')) as unknown as { tools: readonly Shows[] }
  const uri = tools.find((tool) => tool.name === name)?._meta.ui.resourceUri
  const read = await server.request('resources/read', { uri })
  const [contents] = read['contents'] as readonly { readonly text: string }[]
  return contents?.text ?? ''
}

describe('the page of moonphase, in a host', () => {
  it.each([
    ['2020-06-15T14:00:00Z', 'waning crescent', '29%'],
    ['2021-05-26T14:00:00Z', 'full moon', '100%'],
    ['2020-11-23T21:00:00Z', 'waxing gibbous', '66%'],
  ])('shows what the tool says of %s', async (datetime, phase, illumination) => {
    await using shown = await show({ datetime })
    expect(await shown.view.locator('#phase').textContent()).toBe(phase)
    expect(await shown.view.locator('#illumination').textContent()).toBe(illumination)
    expect(shown.complaints).toEqual([])
  })

  it('speaks to the host as MCP Apps do', async () => {
    await using shown = await show({ datetime: '2020-06-15T14:00:00Z' })
    await shown.page.waitForFunction("heard.some(({ method }) => method === 'ui/notifications/size-changed')")
    const heard = (await shown.page.evaluate('heard')) as readonly JsonObject[]
    expect(heard[0]).toMatchObject({
      jsonrpc: '2.0',
      method: 'ui/initialize',
      params: { protocolVersion: '2026-01-26', appInfo: { name: 'moonphase' }, appCapabilities: {} },
    })
    expect(heard[1]).toMatchObject({ method: 'ui/notifications/initialized' })
    await shown.page.evaluate('tearDown()')
    await shown.page.waitForFunction("heard.some(({ id, result }) => id === 'last' && result !== undefined)")
  })

  it('follows the time zone and the theme of the host', async () => {
    const context = { theme: 'dark', timeZone: 'Asia/Tokyo', locale: 'en-GB' }
    await using shown = await show({ datetime: '2020-06-15T14:00:00Z' }, context)
    expect(await shown.view.locator('#moment').textContent()).toMatch(/15 Jun 2020.*23:00/)
    expect(await shown.view.evaluate('document.documentElement.style.colorScheme')).toBe('dark')
  })
})
