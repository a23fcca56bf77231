import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import {
  createTestClient,
  definePrompt,
  defineResourceTemplate,
  defineServer,
  defineTool,
  type ToolDefinition,
} from '../../src/index.ts'

/** The same arguments in four languages. `expectTypeOf` is checked by the compiler. */
interface Order {
  count: number
  size: 'small' | 'large'
  note?: string
}

const fromJsonSchema = defineTool({
  name: 'order',
  input: {
    type: 'object',
    properties: {
      count: { type: 'integer', minimum: 1 },
      size: { enum: ['small', 'large'] },
      note: { type: 'string' },
    },
    required: ['count', 'size'],
  },
  run: (order) => {
    expectTypeOf(order).toEqualTypeOf<Readonly<Order>>()
    return confirm(order)
  },
})

const fromZod = defineTool({
  name: 'order',
  input: z.object({
    count: z.number().int().min(1),
    size: z.enum(['small', 'large']),
    note: z.string().optional(),
  }),
  run: (order) => {
    expectTypeOf(order).toEqualTypeOf<{ count: number; size: 'small' | 'large'; note?: string | undefined }>()
    return confirm(order)
  },
})

const VALIBOT_ORDER = v.object({
  count: v.pipe(v.number(), v.integer(), v.minValue(1)),
  size: v.picklist(['small', 'large']),
  note: v.optional(v.string()),
})

const fromValibot = defineTool({
  name: 'order',
  input: toStandardJsonSchema(VALIBOT_ORDER),
  run: (order) => {
    expectTypeOf(order).toEqualTypeOf<{ count: number; size: 'small' | 'large'; note?: string | undefined }>()
    return confirm(order)
  },
})

const fromArktype = defineTool({
  name: 'order',
  input: type({ count: 'number.integer >= 1', size: "'small' | 'large'", 'note?': 'string' }),
  run: (order) => {
    expectTypeOf(order).toEqualTypeOf<Order>()
    return confirm(order)
  },
})

function confirm({ count, size }: { readonly count: number; readonly size: string }): string {
  return `${count} ${size}`
}

const TOOLS: readonly { readonly language: string; readonly tool: ToolDefinition }[] = [
  { language: 'a JSON Schema literal', tool: fromJsonSchema },
  { language: 'zod', tool: fromZod },
  { language: 'valibot', tool: fromValibot },
  { language: 'arktype', tool: fromArktype },
]

describe.each(TOOLS)('a tool whose input is written in $language', ({ tool }) => {
  const open = () => createTestClient(defineServer({ name: 'types', version: '1', tools: [tool] }))

  it('lists a JSON Schema', async () => {
    const client = await open()
    const { tools } = await client.request('tools/list')
    expect(tools).toMatchObject([
      {
        name: 'order',
        inputSchema: {
          type: 'object',
          properties: { count: { type: 'integer', minimum: 1 }, note: { type: 'string' } },
          required: expect.arrayContaining(['count', 'size']),
        },
      },
    ])
  })

  it('is called with arguments that fit', async () => {
    const client = await open()
    expect(await client.callTool('order', { count: 2, size: 'large' })).toMatchObject({
      content: [{ text: '2 large' }],
      isError: false,
    })
  })

  it('says which argument does not fit', async () => {
    const client = await open()
    for (const args of [{ count: 0, size: 'large' }, { count: 'two', size: 'large' }, { size: 'large' }]) {
      const result = await client.callTool('order', args)
      expect(result).toMatchObject({ isError: true })
      expect(JSON.stringify(result['content'])).toContain('count')
    }
  })
})

describe('what a function is handed', () => {
  it('is what the schema makes of the arguments', async () => {
    const tool = defineTool({
      name: 'length',
      input: z.object({ word: z.string().transform((word) => word.length), times: z.number().default(2) }),
      run: ({ word, times }) => {
        expectTypeOf(word).toBeNumber()
        expectTypeOf(times).toBeNumber()
        return String(word * times)
      },
    })
    const client = await createTestClient(defineServer({ name: 'types', version: '1', tools: [tool] }))
    expect(await client.callTool('length', { word: 'four' })).toMatchObject({ content: [{ text: '8' }] })
  })

  it('is inferred from nested schemas, and unknown where a schema does not say', () => {
    defineTool({
      name: 'nested',
      input: {
        type: 'object',
        properties: {
          list: { type: 'array', items: { type: 'object', properties: { id: { type: 'number' } } } },
          either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          several: { type: ['boolean', 'number'] },
          fixed: { const: 'yes' },
          any: {},
          free: { type: 'object' },
        },
        required: ['list', 'either', 'several', 'fixed', 'any', 'free'],
      },
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<{
          readonly list: readonly { readonly id?: number }[]
          readonly either: string | null
          readonly several: boolean | number
          readonly fixed: 'yes'
          readonly any: unknown
          readonly free: { readonly [name: string]: unknown }
        }>()
        return ''
      },
    })
  })

  it('is nothing where there is no input', () => {
    defineTool({
      name: 'none',
      run: (args, call) => {
        expectTypeOf(args).toEqualTypeOf<Record<string, never>>()
        expectTypeOf(call.signal).toEqualTypeOf<AbortSignal>()
        return undefined
      },
    })
  })

  it('is the arguments of a prompt, with those that may be missing', () => {
    definePrompt({
      name: 'review',
      arguments: [{ name: 'code', required: true }, { name: 'language' }],
      complete: {
        language: (value, chosen) => {
          expectTypeOf(value).toBeString()
          expectTypeOf(chosen).toEqualTypeOf<{ readonly [argument: string]: string }>()
          return []
        },
      },
      render: ({ code, language }) => {
        expectTypeOf(code).toBeString()
        expectTypeOf(language).toEqualTypeOf<string | undefined>()
        return code
      },
    })
  })

  it('is the variables of a template', () => {
    defineResourceTemplate({
      uriTemplate: 'task://{list}/{id}',
      name: 'task',
      read: (variables) => {
        expectTypeOf(variables.list).toBeString()
        expectTypeOf(variables.id).toBeString()
        // @ts-expect-error The template has no such variable.
        return String(variables.owner)
      },
    })
  })
})

describe('a schema that cannot be listed', () => {
  const define = (input: unknown) =>
    defineServer({ name: 'types', version: '1', tools: [{ name: 'order', input, run: () => '' }] })

  it('is refused with the way out, where it is one of valibot', () => {
    expect(() => define(VALIBOT_ORDER)).toThrow(TypeError)
    expect(() => define(VALIBOT_ORDER)).toThrow(
      /Tool order: .*toStandardJsonSchema\(\).*@valibot\/to-json-schema/,
    )
  })

  it('is refused with a name, where it is none at all or not of an object', () => {
    expect(() => define('string')).toThrow(/Tool order: its input schema is not usable/)
    expect(() => define(z.string())).toThrow(/Tool order: its input must be a schema of an object/)
    expect(() => define(z.object({ when: z.date() }))).toThrow(TypeError)
  })
})
