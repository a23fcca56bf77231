import { describe, expect, it } from 'vitest'
import { defineServer, type Server } from '../../src/index.ts'
import { useBrowser } from '../setup/browser.ts'
import { type Visiting, visit } from './visit.ts'

const browser = useBrowser()

const LONG = `https://example.com/${'awordwithoutanend'.repeat(12)}`

/** What turns the rest of a line round, where it is let. */
const TURN = '\u202e'

function open(server: Server, visiting: Visiting = {}) {
  return visit(browser(), { server, ...visiting })
}

describe('long words', () => {
  const wide = defineServer({
    name: 'wide',
    version: '1.0.0',
    tools: [
      {
        name: 'wide',
        run: () => ({
          content: [
            { type: 'resource_link', uri: LONG, name: 'page' },
            {
              type: 'text',
              text: `# Long\n\n| a | b |\n|---|---|\n| ${LONG} | 1 |\n\n\`\`\`\n${LONG}\n\`\`\``,
            },
          ],
        }),
      },
    ],
  })

  it.each([360, 1360])('stay inside of what holds them, %i pixels wide', async (width) => {
    await using at = await open(wide, { viewport: { width, height: 800 } })
    if (width < 900) await at.page.getByRole('button', { name: 'Catalogue' }).click()
    await at.choose('wide')
    await at.call()
    await at.page.getByText('page', { exact: true }).waitFor()
    const over = "(box => box.scrollWidth - box.clientWidth)(document.querySelector('.workspace'))"
    expect(await at.page.evaluate(over)).toBe(0)
  })
})

it('has its figures on one line, and its filter in sight however long the list is', async () => {
  const tools = Array.from({ length: 60 }, (_, at) => ({ name: `tool-${at}`, run: () => '' }))
  await using at = await open(defineServer({ name: 'many', version: '1.0.0', tools }))
  await at.page.getByText('tokens a model reads').waitFor()
  const tops =
    "new Set([...document.querySelectorAll('.figures dd')].map((one) => one.getBoundingClientRect().top)).size"
  expect(await at.page.evaluate(tops)).toBe(1)
  await at.choose('tool-59')
  const filter = await at.page.getByLabel('Filter', { exact: true }).boundingBox()
  expect(filter?.y).toBeGreaterThan(0)
})

it('has the focus where a key says before the next key can come', async () => {
  await using at = await open(defineServer({ name: 'quick', version: '1.0.0', tools: [] }))
  await at.page.getByRole('heading', { level: 1, name: 'quick' }).waitFor()
  const pressed = `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'l', bubbles: true }))`
  expect(await at.page.evaluate(`${pressed}, document.activeElement.className`)).toBe('rows')
})

it('calls an answer that is an error one, and a picture that is none one that cannot be shown', async () => {
  const failing = {
    name: 'fails',
    run: () => ({
      isError: true,
      content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] as const,
    }),
  }
  await using at = await open(defineServer({ name: 'failing', version: '1.0.0', tools: [failing] }))
  await at.choose('fails')
  await at.call()
  await at.page.getByRole('article', { name: 'fails, answered with an error' }).waitFor()
  await at.page.getByText('A picture that cannot be shown (image/png)').waitFor()
})

it('knows a message by what it answers though it is too long to be kept, and closes it with the list', async () => {
  const long = { name: 'long', run: () => 'x'.repeat(300_000) }
  await using at = await open(defineServer({ name: 'longish', version: '1.0.0', tools: [long] }))
  await at.choose('long')
  await at.call()
  await at.page.locator('.row.out.response').getByText('tools/call long').click()
  const opened = at.page.getByRole('region', { name: /^Message \d+/ })
  await opened.getByText('more than is kept of one message').waitFor()
  await at.page.getByRole('button', { name: 'Clear' }).click()
  await opened.waitFor({ state: 'hidden' })
})

it('lets no text turn its surroundings round, wherever it stands', async () => {
  const turning = defineServer({
    name: 'turning',
    version: '1.0.0',
    tools: [
      {
        name: 'turn',
        _meta: { 'perigee/group': `group${TURN}one` },
        run: () => ({
          content: [
            { type: 'image', data: 'AAAA', mimeType: `image/${TURN}x` },
            { type: 'audio', data: 'AAAA', mimeType: `video/${TURN}x` },
            { type: 'resource', resource: { uri: 'a:b', text: 'text', mimeType: `text/${TURN}x` } },
          ],
        }),
      },
    ],
  })
  await using at = await open(turning)
  await at.choose('turn')
  await at.call()
  await at.page.getByText('A sound that cannot be played').waitFor()
  expect(await at.page.locator('body').innerText()).not.toContain(TURN)
})
