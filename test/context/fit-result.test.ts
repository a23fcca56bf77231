import { describe, expect, it } from 'vitest'
import { defineServer, type ServerDefinition, type ToolDefinition } from '../../src/index.ts'
import type { JsonObject, Server } from '../../src/kernel/index.ts'
import { createValidator } from '../../src/schema/index.ts'
import { connectText } from '../../src/transports/memory/index.ts'

const open = { type: 'object', properties: { count: { type: 'integer' } } } as const
const shut = { ...open, additionalProperties: false } as const
const both = { content: [{ type: 'text' as const, text: 'The shelf is nearly empty' }] }
const rows = [
  { name: 'Mercury', moons: 0 },
  { name: 'Mars', moons: 2 },
]
const table = '| name | moons |\n|---|---|\n| Mercury | 0 |\n| Mars | 2 |'

const tools: readonly ToolDefinition[] = [
  { name: 'open', output: open, run: () => ({ ...both, structuredContent: { count: 3 } }) },
  { name: 'shut', output: shut, run: () => ({ ...both, structuredContent: { count: 3 } }) },
  {
    name: 'referred',
    output: { $ref: '#/$defs/shut', $defs: { shut } },
    run: () => ({ ...both, structuredContent: { count: 3 } }),
  },
  { name: 'twin', output: open, run: () => ({ count: 3 }) },
  { name: 'failed', run: () => ({ ...both, structuredContent: { count: 3 }, isError: true }) },
  { name: 'table', run: () => ({ content: [{ type: 'text', text: table }], structuredContent: { rows } }) },
  { name: 'text', run: () => 'plain' },
  {
    name: 'chart',
    output: open,
    run: () => ({
      content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
      structuredContent: { count: 3 },
    }),
  },
  {
    name: 'link',
    run: () => ({
      content: [
        { type: 'text', text: 'See' },
        { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      ],
    }),
  },
  {
    name: 'outer',
    run: async (_args, call) => JSON.stringify((await call.invoke('open')).structuredContent),
  },
]

/** What a host is told that a tool has given. */
function called(host: string, name: string, more: Partial<ServerDefinition> = {}): Promise<JsonObject> {
  return asked(host, 'tools/call', { name, arguments: {} }, more)
}

async function asked(
  host: string,
  method: string,
  ...[params = {}, more = {}]: [params?: JsonObject, more?: Partial<ServerDefinition>]
): Promise<JsonObject> {
  const server = defineServer({ name: 's', version: '1', tools, ...more }) as Server
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: host, version: '1' },
  }
  const text = await new Promise<string>((resolve) => {
    const line = connectText(server, resolve)
    line.send({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } })
  })
  return JSON.parse(text).result
}

const textsOf = ({ content }: JsonObject) => (content as { text: string }[]).map(({ text }) => text)

describe('a result with text and data that say different things', () => {
  it('has its text in its data where a host shows data alone', async () => {
    for (const host of ['claude-code', 'codex-mcp-client']) {
      const { structuredContent } = await called(host, 'open')
      expect(structuredContent).toEqual({ count: 3, _text: 'The shelf is nearly empty' })
    }
  })

  it('has its data in its text where a host shows text alone', async () => {
    expect(textsOf(await called('opencode', 'open'))).toEqual(['The shelf is nearly empty', '{"count":3}'])
    expect(textsOf(await called('claude-code', 'failed'))).toEqual([
      'The shelf is nearly empty',
      '{"count":3}',
    ])
  })

  it('says so in data whose schema is shut, and that is listed to those hosts with what may be said', async () => {
    const { tools } = (await asked('claude-code', 'tools/list')) as {
      tools: { name: string; outputSchema?: JsonObject }[]
    }
    const listed = tools.find(({ name }) => name === 'shut')?.outputSchema
    const { structuredContent } = await called('claude-code', 'shut')
    expect(structuredContent).toEqual({ count: 3, _text: 'The shelf is nearly empty' })
    const { read } = createValidator().shape(listed, 'output')
    expect(read(structuredContent)).toHaveProperty('value')
    expect(read({ count: 3, more: 1 })).toHaveProperty('problems')
    expect((await called('somebody', 'shut'))['structuredContent']).toEqual({ count: 3 })
  })

  it('keeps to a schema that cannot be opened', async () => {
    expect((await called('claude-code', 'referred'))['structuredContent']).toEqual({ count: 3 })
  })

  it('is as its author gave it for any other client, where fitting is off, and within the server', async () => {
    for (const result of [
      await called('somebody', 'open'),
      await called('claude-code', 'open', { fit: 'off' }),
    ]) {
      expect(result['structuredContent']).toEqual({ count: 3 })
      expect(textsOf(result)).toEqual(['The shelf is nearly empty'])
    }
    expect(textsOf(await called('claude-code', 'outer'))).toEqual(['{"count":3}'])
  })
})

describe('a result with more than text and data', () => {
  it('has its data in its text where data would be shown alone, and its picture not', async () => {
    const { content, structuredContent } = await called('codex-mcp-client', 'chart')
    expect(structuredContent).toBe(undefined)
    expect(content).toMatchObject([{ type: 'image' }, { type: 'text', text: '{"count":3}' }])
    expect((await called('claude-code', 'chart'))['structuredContent']).toEqual({ count: 3 })
  })

  it('tells in words what a host does not show', async () => {
    expect(textsOf(await called('opencode', 'link'))).toEqual([
      'See',
      '[A link: a.txt, file:///a.txt]',
      '[audio, audio/wav, which cannot be shown here]',
    ])
    const { content } = await called('claude-code', 'link')
    expect(content).toMatchObject([{ type: 'text' }, { type: 'resource_link' }, { type: 'audio' }])
  })
})

it.each(['claude-code', 'codex-mcp-client', 'opencode'])(
  'a result that says the same in both is left alone (%s)',
  async (host) => {
    for (const [name, texts] of [
      ['twin', ['{"count":3}']],
      ['table', [table]],
      ['text', ['plain']],
    ] as const) {
      const result = await called(host, name)
      expect(textsOf(result)).toEqual(texts)
      expect(JSON.stringify(result['structuredContent'] ?? {})).not.toContain('_text')
    }
  },
)
