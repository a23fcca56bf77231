import { Ajv2020 } from 'ajv/dist/2020.js'
import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestClient, defineServer, type ToolDefinition } from '../../src/index.ts'

const CLOSED = {
  type: 'object',
  properties: { price: { type: 'number' }, note: { type: 'string' } },
  required: ['price'],
  additionalProperties: false,
} as const

const RETURNED: { readonly [name: string]: Pick<ToolDefinition, 'output' | 'run'> } = {
  'members that zod takes away': {
    output: z.object({ price: z.number(), parts: z.array(z.object({ name: z.string() })) }),
    run: () => ({ price: 1, secret: 2, parts: [{ name: 'a', secret: 3 }] }),
  },
  'members that zod takes away, in a whole result': {
    output: z.object({ price: z.number() }),
    run: () => ({ structuredContent: { price: 1, secret: 2 } }),
  },
  'members that arktype takes away': {
    output: type({ '+': 'delete', price: 'number' }),
    run: () => ({ price: 1, secret: 2 }),
  },
  'what a schema fills in': { output: z.object({ price: z.number().default(3) }), run: () => ({}) },
  'what a schema fills in later': {
    output: z.object({ price: z.number().refine(async () => true) }),
    run: () => ({ price: 1, secret: 2 }),
  },
  'what is no object': {
    output: z.array(z.object({ price: z.number() })),
    run: () => [{ price: 1, secret: 2 }],
  },
  'what is undefined, and so not there': { output: CLOSED, run: () => ({ price: 1, note: undefined }) },
}

const CODED = { decode: String, encode: Number }

describe('what leaves fits the schema that is listed', () => {
  it.each(Object.entries(RETURNED))('%s', async (_name, { output, run }) => {
    const server = defineServer({ name: 's', version: '1', tools: [{ name: 'look', output, run }] })
    const client = await createTestClient(server)
    const [listed] = await client.tools()
    const { structuredContent, content } = await client.callTool('look')
    const fits = new Ajv2020({ strict: false }).compile(listed?.outputSchema ?? false)
    expect({ structuredContent, fits: fits(structuredContent) }).toMatchObject({ fits: true })
    expect(JSON.stringify(content)).not.toContain('secret')
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
  })

  it.each<[name: string, tool: Pick<ToolDefinition, 'output' | 'run'>, text: string]>([
    ['that is one', { output: z.string(), run: () => 'five' }, 'five'],
    ['where anything fits', { output: {}, run: () => 'five' }, 'five'],
    ['that a schema trims', { output: z.string().trim(), run: () => ' five ' }, 'five'],
    ['that a schema makes', { output: z.codec(z.number(), z.string(), CODED), run: () => 5 }, '5'],
  ])('a text %s, as data and as itself', async (_name, tool, text) => {
    const server = defineServer({ name: 's', version: '1', tools: [{ name: 'look', ...tool }] })
    const content = [{ type: 'text', text }]
    const newest = await (await createTestClient(server)).callTool('look')
    expect(newest).toMatchObject({ content, structuredContent: text })
    const older = await createTestClient(server, { revision: '2025-11-25' })
    expect(await older.callTool('look')).toEqual({ content, isError: false })
  })

  it('a text in the place of an object is none', async () => {
    const tool = { name: 'look', output: z.object({ price: z.number() }), run: () => 'five' }
    const client = await createTestClient(defineServer({ name: 's', version: '1', tools: [tool] }))
    await expect(client.callTool('look')).rejects.toThrow('expected object, received string')
  })

  it('and the words that an author has for it stay', async () => {
    const run = () => ({ content: [{ type: 'text', text: 'One' }], structuredContent: { price: 1, more: 2 } })
    const output = z.object({ price: z.number() })
    const server = defineServer({ name: 's', version: '1', tools: [{ name: 'look', output, run }] })
    const result = await (await createTestClient(server)).callTool('look')
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'One' }],
      structuredContent: { price: 1 },
    })
    expect(result.structuredContent).not.toHaveProperty('more')
  })

  it('and nothing leaves that lacks what is required', async () => {
    const run = () => ({ price: undefined })
    const server = defineServer({ name: 's', version: '1', tools: [{ name: 'look', output: CLOSED, run }] })
    const client = await createTestClient(server)
    await expect(client.callTool('look')).rejects.toThrow('price: expected a number, got nothing')
  })
})
