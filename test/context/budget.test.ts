import { countTokens } from 'gpt-tokenizer'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { connect } from '../../src/client/index.ts'
import type { ContentBlock } from '../../src/index.ts'
import {
  createTestClient,
  defineServer,
  defineTool,
  type ServerDefinition,
  type TestClient,
} from '../../src/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import { createValidator } from '../../src/schema/index.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { serveHttp } from '../../src/transports/http/index.ts'

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
const BUDGET = { tokens: 20_000 }

/** About 250,000 tokens. */
const ROWS = Array.from({ length: 7000 }, (_, id) => ({
  id,
  title: `Something that was found, number ${id}`,
  url: `https://example.com/found/${id}?page=${id % 13}`,
  tags: ['open', 'wanted'],
}))

const LINES = Array.from(
  { length: 16_000 },
  (_, at) => `${at}: the quick brown fox jumps over the lazy dog\n`,
).join('')

const ROWS_SCHEMA = {
  type: 'object',
  properties: {
    total: { type: 'integer' },
    rows: { type: 'array', items: { type: 'object', required: ['id', 'title'] } },
  },
  required: ['total', 'rows'],
} as const

const rows = defineTool({
  name: 'rows',
  output: ROWS_SCHEMA,
  run: () => ({ total: ROWS.length, rows: ROWS }),
})

const lines = defineTool({ name: 'lines', run: () => LINES })

function define(more: Partial<ServerDefinition> = {}) {
  return defineServer({
    name: 's',
    version: '1',
    budget: BUDGET,
    tools: [rows, lines],
    reports: true,
    ...more,
  })
}

interface Called {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}

const call = async (client: TestClient, name: string): Promise<Called> =>
  (await client.callTool(name)) as Called

const linksIn = (result: Called) => [
  ...new Set(JSON.stringify(result.content).match(/perigee:\/\/rest\/[\w-]+\?from=\d+/g) ?? []),
]

/** Everything that a link leads to, page by page, as a client that only reads would find it. */
async function follow(client: TestClient, uri: string): Promise<readonly string[]> {
  const pages: string[] = []
  for (let next: string | undefined = uri; next !== undefined; ) {
    const { contents } = (await client.read(next)) as { contents: readonly { text: string }[] }
    pages.push(contents[0]?.text ?? '')
    next = /The next page is (\S+)/.exec(contents[1]?.text ?? '')?.[1]
  }
  return pages
}

const textOf = ({ content }: Called) => (content[0] as { text: string }).text

describe('a result that is longer than its budget', () => {
  it.each(REVISIONS)(
    'leaves within it, and all of its data can be had by its links (%s)',
    async (revision) => {
      const client = await createTestClient(define(), { revision })
      const result = await call(client, 'rows')
      expect(countTokens(JSON.stringify({ total: ROWS.length, rows: ROWS }))).toBeGreaterThan(250_000)
      expect(countTokens(JSON.stringify([result.content, result.structuredContent]))).toBeLessThan(
        BUDGET.tokens,
      )
      const shown = JSON.parse(textOf(result)) as { total: number; rows: unknown[] }
      expect(shown.total).toBe(ROWS.length)
      expect(shown.rows.length).toBeGreaterThan(100)
      if (revision >= '2025-06-18') expect(result.structuredContent).toMatchObject(shown)
      const [link = ''] = linksIn(result)
      const pages = await follow(client, link)
      for (const page of pages) expect(countTokens(page)).toBeLessThan(BUDGET.tokens)
      expect([...shown.rows, ...pages.flatMap((page) => JSON.parse(page))]).toEqual(ROWS)
    },
  )

  it.each(REVISIONS)(
    'leaves within it, and all of its lines can be had by its links (%s)',
    async (revision) => {
      const client = await createTestClient(define(), { revision })
      const result = await call(client, 'lines')
      expect(countTokens(JSON.stringify(result.content))).toBeLessThan(BUDGET.tokens)
      expect(textOf(result).endsWith('\n')).toBe(true)
      const [link = ''] = linksIn(result)
      expect(textOf(result) + (await follow(client, link)).join('')).toBe(LINES)
    },
  )

  it('says in text and in data how much there was and how to have the rest', async () => {
    const result = await call(await createTestClient(define()), 'rows')
    const said = result.content.map((block) => (block.type === 'text' ? block.text : '')).at(-2)
    expect(said).toMatch(
      /^This is the beginning of a result of about \d{3},\d{3} tokens, cut to 20,000\. What was left out: rows from /,
    )
    expect((result.structuredContent as { _more: string })._more).toBe(said)
    expect(result.content.at(-1)).toMatchObject({
      type: 'resource_link',
      name: 'rest',
      mimeType: 'application/json',
    })
  })

  it('is told by its link alone where no cut of it would be what the tool promises', async () => {
    const output = {
      type: 'object',
      properties: { rows: { type: 'array', minItems: 7000 } },
      required: ['rows'],
    } as const
    const all = defineTool({ name: 'all', output, run: () => ({ rows: ROWS }) })
    const client = await createTestClient(define({ tools: [all] }))
    const result = await call(client, 'all')
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toBe(undefined)
    expect(textOf(result)).toContain('cannot be cut so that it still fits its schema')
    const [link = ''] = linksIn(result)
    expect(JSON.parse((await follow(client, link)).join(''))).toEqual({ rows: ROWS })
  })

  it('keeps to a schema that lets nothing be added', async () => {
    const output = {
      type: 'object',
      properties: { rows: { type: 'array' } },
      required: ['rows'],
      additionalProperties: false,
    } as const
    const strict = defineTool({ name: 'strict', output, run: () => ({ rows: ROWS }) })
    const result = await call(await createTestClient(define({ tools: [strict] })), 'strict')
    expect(result.isError).toBe(false)
    expect(Object.keys(result.structuredContent as object)).toEqual(['rows'])
  })

  it('says the same in its text as in its data where both were too long and no two ends would meet', async () => {
    const prose = `What was found:\n${ROWS.map(({ id, title }) => `- ${id}: ${title}`).join('\n')}`
    const told = defineTool({
      name: 'told',
      output: ROWS_SCHEMA,
      run: () => ({
        content: [
          { type: 'text', text: prose },
          { type: 'text', text: 'Ask again tomorrow' },
        ],
        structuredContent: { total: ROWS.length, rows: ROWS },
      }),
    })
    const client = await createTestClient(define({ tools: [told] }))
    const result = await call(client, 'told')
    const { _more, ...data } = result.structuredContent as { _more: string; rows: unknown[] }
    expect(JSON.parse(textOf(result))).toEqual(data)
    expect(JSON.stringify(result.content)).toContain('Ask again tomorrow')
    expect(countTokens(JSON.stringify([result.content, data]))).toBeLessThan(BUDGET.tokens)
    const [ofData = '', ofText = ''] = linksIn(result)
    const left = (await follow(client, ofData)).flatMap((page) => JSON.parse(page))
    expect([...data.rows, ...left]).toEqual(ROWS)
    expect((await follow(client, ofText)).join('')).toBe(prose)
  })

  it.each(['claude-code', 'codex-mcp-client'])(
    'says so in its data to %s, whatever its schema',
    async (name) => {
      const strict = { ...rows, output: { ...ROWS_SCHEMA, additionalProperties: false } }
      const client = await connect(define({ tools: [strict] }), { info: { name, version: '1' } })
      const { _more } = (await client.callTool('rows')).structuredContent as { _more?: string }
      expect(_more).toMatch(/^This is the beginning of a result of about .+ read the resource perigee:/)
      await client.close()
    },
  )

  it('is cut in a text that is mostly escaped, too, and names its pages by whole numbers', async () => {
    const text = `${'\t'.repeat(40)}x`.repeat(20_000)
    const shown = { name: 'gaps', run: () => ({ text, note: 'a', other: ROWS }) }
    const client = await createTestClient(define({ tools: [shown] }))
    const links = (await call(client, 'gaps')).content.flatMap((block) =>
      block.type === 'resource_link' ? [block.uri] : [],
    )
    for (const link of links) expect((await follow(client, link)).length).toBeGreaterThan(0)
    expect(links.length).toBe(2)
  })

  it('fits the schema that a library has written of what its tool gives', async () => {
    const output = z.object({ total: z.int(), rows: z.array(z.looseObject({ id: z.int() })) })
    const client = await createTestClient(define({ tools: [{ ...rows, output }] }))
    const [listed] = await client.tools()
    const { structuredContent } = await call(client, 'rows')
    expect(createValidator().shape(listed?.outputSchema, 'output').read(structuredContent)).toHaveProperty(
      'value',
    )
  })

  it('keeps the names of members of which one is longer than a page', async () => {
    const wide = Object.fromEntries(ROWS.slice(0, 100).map(({ id }) => [`member ${id}`, `${id}`]))
    const data = { ...wide, 'member 70': LINES.slice(0, 20_000) }
    const tools = [defineTool({ name: 'wide', budget: { tokens: 1000 }, run: () => data })]
    const client = await createTestClient(define({ tools }))
    const result = await call(client, 'wide')
    const [link = ''] = linksIn(result)
    const rest = JSON.parse((await follow(client, link)).join(''))
    expect({ ...JSON.parse(textOf(result)), ...rest }).toEqual(data)
  })

  it('prints its data once to bound it, however many members that has', async () => {
    const data = Object.fromEntries(ROWS.map(({ id, title }) => [`member ${id}`, title]))
    const tools = [
      defineTool({ name: 'wide', budget: { tokens: 5000 }, output: { type: 'object' }, run: () => data }),
    ]
    const client = await createTestClient(define({ tools }))
    const [print, parse] = [vi.spyOn(JSON, 'stringify'), vi.spyOn(JSON, 'parse')]
    const result = await call(client, 'wide')
    const prints = print.mock.calls.filter(([value]) => value === data)
    const parses = parse.mock.calls.filter(([text]) => text.length > 100_000)
    vi.restoreAllMocks()
    // The other time is for its text.
    expect([prints.length, parses.length]).toEqual([2, 0])
    const rest = await follow(client, linksIn(result)[0] ?? '')
    expect(
      Object.assign({}, result.structuredContent, ...rest.map((page) => JSON.parse(page))),
    ).toMatchObject(data)
  })

  it('keeps every digit of a text whose numbers are longer than those of JavaScript', async () => {
    const long = `[${ROWS.map(({ id }) => `{"id":${9_007_199_254_740_993n + BigInt(id)},"of":0.1}`).join(',\n')}]`
    const tools = [defineTool({ name: 'long', budget: { tokens: 1000 }, run: () => long })]
    const client = await createTestClient(define({ tools }))
    const result = await call(client, 'long')
    const [link = ''] = linksIn(result)
    expect(textOf(result) + (await follow(client, link)).join('')).toBe(long)
  })

  it('is told as far as there is room where the store is away', async () => {
    const store = new MemoryStore()
    store.put = () => Promise.reject(new Error('no way to 10.0.0.1'))
    const result = await call(await createTestClient(define({ store })), 'lines')
    expect(result.isError).toBe(false)
    expect(LINES.startsWith(textOf(result))).toBe(true)
    expect(JSON.stringify(result.content)).toContain('it could not be kept, so ask for less')
  })

  it('is held to what its tool says, rather than to what its server says', async () => {
    const short = defineTool({ name: 'short', budget: { tokens: 500 }, run: () => LINES })
    const long = defineTool({ name: 'long', budget: { tokens: 10_000_000 }, run: () => LINES })
    const client = await createTestClient(define({ tools: [short, long] }))
    expect(countTokens(JSON.stringify(await call(client, 'short')))).toBeLessThan(600)
    expect(textOf(await call(client, 'long'))).toBe(LINES)
  })

  it.each([
    ['one line without an end', 'x'.repeat(900_000)],
    ['words without lines', 'word '.repeat(200_000)],
    ['letters that are two to a computer', '😀'.repeat(100_000)],
    ['no room for a word', `${'é'.repeat(300_000)}\n`],
  ])('loses nothing of %s', async (_what, text) => {
    const client = await createTestClient(define({ tools: [{ name: 'text', run: () => text }] }))
    const result = await call(client, 'text')
    const [link = ''] = linksIn(result)
    expect(textOf(result) + (await follow(client, link)).join('')).toBe(text)
  })

  it.each([
    ['a map of many names', { map: Object.fromEntries(ROWS.map((row) => [`row-${row.id}`, row])) }],
    ['a list with one long entry', { rows: [{ text: LINES }, { text: 'short' }] }],
    ['several long lists', { a: ROWS, b: ROWS, c: 1 }],
    ['lists in lists', { a: { b: { c: [[ROWS]] } } }],
    [
      'more places than one would follow',
      Object.fromEntries('abcdefgh'.split('').map((name) => [name, LINES.slice(0, 200_000)])),
    ],
  ])('can be had whole: %s', async (_what, value) => {
    const client = await createTestClient(define({ tools: [{ name: 'value', run: () => value }] }))
    const result = await call(client, 'value')
    expect(countTokens(JSON.stringify([result.content, result.structuredContent]))).toBeLessThan(
      BUDGET.tokens,
    )
    const texts = await Promise.all(linksIn(result).map((link) => follow(client, link)))
    const length = texts.flat().join('').length
    const shown = JSON.stringify(JSON.parse(textOf(result))).length
    // What is shown and what is linked is all there was; brackets and escapes are written anew.
    expect(length + shown).toBeGreaterThan(JSON.stringify(value).length * 0.95)
  })

  it('has its pictures shown, and links to what is too large to be', async () => {
    const tool = defineTool({
      name: 'pictures',
      run: () => ({
        content: [
          { type: 'image' as const, data: 'A'.repeat(400_000), mimeType: 'image/png' },
          { type: 'image' as const, data: 'B'.repeat(2_000_000), mimeType: 'image/png' },
          {
            type: 'resource' as const,
            resource: { uri: 'file:///a.zip', mimeType: 'application/zip', blob: 'C'.repeat(200_000) },
          },
        ],
      }),
    })
    const client = await createTestClient(define({ tools: [tool] }))
    const { content } = await call(client, 'pictures')
    expect(content.map(({ type }) => type)).toEqual(['image', 'resource_link', 'resource_link'])
    const read = async (block: unknown) =>
      ((await client.read((block as { uri: string }).uri)) as unknown as { contents: { blob: string }[] })
        .contents[0]?.blob
    expect(await read(content[1])).toBe('B'.repeat(2_000_000))
    expect(await read(content[2])).toBe('C'.repeat(200_000))
  })

  it('is left alone where it fits, and so is a server that has no budget', async () => {
    const small = defineTool({ name: 'small', run: () => ({ rows: ROWS.slice(0, 20) }) })
    const result = await call(await createTestClient(define({ tools: [small] })), 'small')
    expect(result.structuredContent).toEqual({ rows: ROWS.slice(0, 20) })
    const unbound = defineServer({ name: 's', version: '1', tools: [lines] })
    const client = await createTestClient(unbound, { revision: '2025-11-25' })
    expect(textOf(await call(client, 'lines'))).toBe(LINES)
    expect(client.capabilities).not.toHaveProperty('resources')
  })

  it('is whole to a tool that calls the tool', async () => {
    const count = defineTool({
      name: 'count',
      run: async (_args, call) => {
        const { structuredContent } = await call.invoke('rows')
        return String((structuredContent as { rows: unknown[] }).rows.length)
      },
    })
    const client = await createTestClient(define({ tools: [rows, count] }))
    expect(textOf(await call(client, 'count'))).toBe('7000')
  })
})

describe('what was left out of a result', () => {
  const ends: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  it('makes a server have resources, also where only a tool that comes later has a budget', async () => {
    const client = await createTestClient(define(), { revision: '2025-11-25' })
    expect(client.capabilities).toHaveProperty('resources')
    const server = defineServer({ name: 's', version: '1', tools: [] })
    server.tools.add({ name: 'late', budget: { tokens: 500 }, run: () => LINES })
    const late = await createTestClient(server)
    const [link = ''] = linksIn(await call(late, 'late'))
    expect((await follow(late, link)).length).toBeGreaterThan(1)
  })

  it('is there for its owner alone, whatever scopes it takes to call', async () => {
    const server = define({ unscoped: 'closed', tools: [{ ...lines, scopes: ['read'] }] })
    const ann = await createTestClient(server, { principal: { id: 'ann', scopes: ['read'] } })
    const bob = await createTestClient(server, { principal: { id: 'bob', scopes: ['read'] } })
    const [link = ''] = linksIn(await call(ann, 'lines'))
    expect((await follow(ann, link)).length).toBeGreaterThan(1)
    await expect(bob.read(link)).rejects.toThrow('not found')
    await expect(ann.read('perigee://rest/../../sessions?from=1')).rejects.toThrow('not found')
    await expect(ann.read(link.replace('from=', 'from=9999999999999999'))).rejects.toThrow('not found')
  })

  it('can be read on another node, and not after its time', async () => {
    let now = 0
    const store = new MemoryStore({ now: () => now })
    const [one, other] = [define({ store }), define({ store })]
    const [link = ''] = linksIn(await call(await createTestClient(one), 'lines'))
    const client = await createTestClient(other)
    expect((await follow(client, link)).length).toBeGreaterThan(1)
    now = 16 * 60_000
    await expect(client.read(link)).rejects.toThrow('not found')
  })

  it('is not kept past its budget, which the result says', async () => {
    const client = await createTestClient(define({ budgets: { maxRestBytes: 1000 } }))
    const result = await call(client, 'lines')
    expect(linksIn(result)).toEqual([])
    expect(JSON.stringify(result.content)).toContain('it could not be kept, so ask for less')
  })

  it('is kept by a gateway for what came from another server', async () => {
    const behind = await serveHttp(defineServer({ name: 'behind', version: '1', tools: [rows] }), { port: 0 })
    ends.push(() => behind.close(0))
    const gateway = defineServer({
      name: 'gateway',
      version: '1',
      budget: BUDGET,
      modules: [upstream('behind', { url: behind.url })],
      reports: true,
    })
    ends.push(() => gateway.close())
    const client = await createTestClient(gateway)
    const result = await call(client, 'rows')
    const shown = (result.structuredContent as { rows: unknown[] }).rows
    const [link = ''] = linksIn(result)
    expect([...shown, ...(await follow(client, link)).flatMap((page) => JSON.parse(page))]).toEqual(ROWS)
  })
})
