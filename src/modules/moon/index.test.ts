import { expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { createTestClient } from '../../client/test-client.ts'
import type { Call, JsonObject } from '../../kernel/index.ts'
import { answer } from './answer.ts'
import { moon } from './index.ts'
import { view } from './view.ts'

const client = await createTestClient(defineServer({ name: 'sky', version: '1.0.0', modules: [moon()] }))

async function ask(args: JsonObject): Promise<{ text: string; image: JsonObject; structured: JsonObject }> {
  const result = await client.callTool('moonphase', args)
  const [text, image] = result.content as readonly unknown[] as [{ text: string }, JsonObject]
  expect(result['isError']).toBe(false)
  return { text: text.text, image, structured: result['structuredContent'] as JsonObject }
}

it('answers in words, in figures and with a picture', async () => {
  // NASA's tables: 28.77% lit, 23.848 days old. USNO: new moon on June 21 at 06:41, full moon on July 5 at 04:44.
  const { text, image, structured } = await ask({ datetime: '2020-06-15T14:00:00Z' })
  expect(structured).toMatchObject({
    datetime: '2020-06-15T14:00:00Z',
    phase: 'waning crescent',
    age: 23.85,
    illumination: 29,
    waxing: false,
  })
  expect(structured['nextNewMoon']).toMatch(/^2020-06-21T06:4[012]:\d\dZ$/)
  expect(structured['nextFullMoon']).toMatch(/^2020-07-05T04:4[345]:\d\dZ$/)
  expect(text).toMatch(/^Waning crescent on 2020-06-15 14:00 UTC: 23\.85 days old and 29% illuminated\. /)
  expect(text).toMatch(/Next full moon: 2020-07-05 04:4\d UTC; next new moon: 2020-06-21 06:4\d UTC\. /)
  expect(image).toMatchObject({ type: 'image', mimeType: 'image/png' })
  expect(Buffer.from(String(image['data']), 'base64').toString('latin1', 1, 4)).toBe('PNG')
})

it.each([{}, { datetime: '' }, { datetime: '  ' }, { datetime: null }])('takes %j for now', async (args) => {
  const before = Date.now() - 1000
  const { structured } = await ask(args)
  const instant = Date.parse(String(structured['datetime']))
  expect(instant).toBeGreaterThanOrEqual(before)
  expect(instant).toBeLessThanOrEqual(Date.now() + 1000)
})

it('gives one answer for one instant, however it is written', async () => {
  const utc = await ask({ datetime: '2026-11-15T12:00:00Z' })
  for (const datetime of ['2026-11-15T12:00', '2026-11-15T13:00:00+01:00', '2026-11-15T04:30:00-07:30']) {
    expect(await ask({ datetime })).toEqual(utc)
  }
})

it.each(['-004000-01-01', '0000-01-01', '1582-10-15', '2000-02-29', '9999-12-31T23:59:59Z'])(
  'answers for %s',
  async (datetime) => {
    const { structured } = await ask({ datetime })
    expect(structured['age']).toBeGreaterThanOrEqual(0)
    expect(structured['age']).toBeLessThan(30)
  },
)

it.each([
  ['tomorrow', 'got "tomorrow"'],
  ['2026-02-30', 'there is no day 30 in month 02'],
  ['+010000-01-01', 'expected a year from -4000 to 9999'],
])('turns %s into a tool error that a model can read', async (datetime, message) => {
  const result = await client.callTool('moonphase', { datetime })
  expect(result['isError']).toBe(true)
  expect(result['content']).toMatchObject([{ type: 'text', text: expect.stringContaining(message) }])
})

it.each(['2026-11-15T23:59:59Z', '2026-11-15T23:59:59.999Z'])('leaves %s in its day', async (datetime) => {
  const { text, structured } = await ask({ datetime })
  expect(structured['datetime']).toBe('2026-11-15T23:59:59Z')
  expect(text).toContain(' on 2026-11-15 23:59 UTC: ')
})

it('has one day and many days', async () => {
  // New moon on 2026-11-09 at 07:02 (USNO).
  const { text, structured } = await ask({ datetime: '2026-11-10T07:02:00Z' })
  expect(structured['age']).toBe(1)
  expect(text).toContain(': 1 day old and ')
})

it('writes years that need more than four digits as ISO 8601 does', async () => {
  const { text, structured } = await ask({ datetime: '9999-12-31T23:59:59Z' })
  expect(structured['nextFullMoon']).toMatch(/^\+010000-01-\d\dT\d\d:\d\d:\d\dZ$/)
  expect(text).toMatch(/Next full moon: \+010000-01-\d\d \d\d:\d\d UTC;/)
})

it('lists a tool that is read only, closed, and has a page', async () => {
  const { tools } = (await client.request('tools/list')) as unknown as { tools: JsonObject[] }
  expect(tools).toMatchObject([
    {
      name: 'moonphase',
      title: 'Phase of the Moon',
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      outputSchema: { type: 'object', additionalProperties: false },
      _meta: { ui: { resourceUri: 'ui://moonphase/view.html' } },
    },
  ])
})

it('describes every property it takes and gives', () => {
  const [tool] = moon().tools ?? []
  for (const schema of [tool?.input, tool?.output] as { properties: Record<string, JsonObject> }[]) {
    for (const property of Object.values(schema.properties))
      expect(property['description']).toBeTypeOf('string')
  }
})

it('serves the page under its MIME type', async () => {
  const { resources } = await client.request('resources/list')
  expect(resources).toMatchObject([
    { uri: 'ui://moonphase/view.html', mimeType: 'text/html;profile=mcp-app' },
  ])
  const { contents } = await client.request('resources/read', { uri: 'ui://moonphase/view.html' })
  expect(contents).toMatchObject([
    {
      uri: 'ui://moonphase/view.html',
      mimeType: 'text/html;profile=mcp-app',
      text: expect.stringContaining('<!doctype html>'),
      _meta: { ui: { prefersBorder: true } },
    },
  ])
})

it('prints its page once, however often it is read', async () => {
  const call = {} as Call // It looks at nothing of it.
  const [first, second] = await Promise.all([view.read(call), view.read(call)])
  expect(second).toBe(first)
})

it('finds an answer once for all who ask for the same second, and forgets the oldest', async () => {
  const first = answer(0)
  expect(answer(999)).toBe(first)
  expect(answer(1000)).not.toBe(first)
  const many = Array.from({ length: 64 }, (_, second) => answer(second * 1000 + 2000))
  expect(answer(0)).not.toBe(first)
  expect(await answer(0)).toEqual(await first)
  await Promise.all(many)
})
