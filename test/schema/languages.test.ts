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
  elicit,
  elicitUrl,
  listRoots,
  Needs,
  needs,
  sample,
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

const SUM = {
  type: 'object',
  properties: { sum: { type: 'number' }, kind: { enum: ['exact', 'rounded'] } },
  required: ['sum', 'kind'],
} as const
const ZOD_SUM = z.object({ sum: z.number(), kind: z.enum(['exact', 'rounded']) })
const VALIBOT_SUM = toStandardJsonSchema(
  v.object({ sum: v.number(), kind: v.picklist(['exact', 'rounded']) }),
)
const ARKTYPE_SUM = type({ sum: 'number', kind: "'exact' | 'rounded'" })

describe('what a function gives', () => {
  it('fits its output schema, in whichever language that is written', async () => {
    const name = 'sum'
    const input = { type: 'object', properties: { by: { type: 'number' } } } as const
    const tools: readonly ToolDefinition[] = [
      defineTool({ name, output: SUM, run: () => ({ sum: 1, kind: 'exact' }) }),
      defineTool({ name, output: ZOD_SUM, run: async () => ({ sum: 1, kind: 'exact' }) }),
      defineTool({ name, input, output: VALIBOT_SUM, run: ({ by = 1 }) => ({ sum: by, kind: 'exact' }) }),
      defineTool({
        name,
        input,
        output: ARKTYPE_SUM,
        run: async ({ by = 1 }) => ({ sum: by, kind: 'exact' }),
      }),
    ]
    for (const tool of tools) {
      const client = await createTestClient(defineServer({ name: 'types', version: '1', tools: [tool] }))
      expect(await client.callTool('sum')).toMatchObject({ structuredContent: { sum: 1, kind: 'exact' } })
    }
  })

  it('is not let through by the compiler if it does not', () => {
    const name = 'sum'
    // @ts-expect-error There is no such member.
    defineTool({ name, output: SUM, run: () => ({ summ: 'x' }) })
    // @ts-expect-error There is no such member.
    defineTool({ name, output: ZOD_SUM, run: () => ({ summ: 'x' }) })
    // @ts-expect-error There is no such member.
    defineTool({ name, output: VALIBOT_SUM, run: () => ({ summ: 'x' }) })
    // @ts-expect-error There is no such member.
    defineTool({ name, output: ARKTYPE_SUM, run: () => ({ summ: 'x' }) })
    // @ts-expect-error There is no such kind.
    defineTool({ name, output: SUM, run: async () => ({ sum: 1, kind: 'guessed' }) })
    // @ts-expect-error A text is no sum.
    defineTool({ name, output: SUM, run: () => 'one' })
    // @ts-expect-error Nothing is no sum.
    defineTool({ name, output: SUM, run: () => {} })
    // @ts-expect-error A whole result has it, too.
    defineTool({ name, output: SUM, run: () => ({ structuredContent: { sum: 1 } }) })
    // @ts-expect-error A whole result that has not failed has structured content.
    defineTool({ name, output: SUM, run: () => ({ content: [{ type: 'text', text: 'one' }] }) })
  })

  it('may be a whole result, a failure or a question instead', () => {
    const content = [{ type: 'text', text: 'one' }] as const
    defineTool({
      name: 'sum',
      input: { type: 'object', properties: { how: { type: 'string' } } },
      output: SUM,
      run: async ({ how }) => {
        if (how === 'whole') return { content, structuredContent: { sum: 1, kind: 'rounded' } }
        if (how === 'failed') return { content: [{ type: 'text', text: 'No' }], isError: true }
        return how === 'asking' ? needs({ roots: listRoots() }) : { sum: 1, kind: 'exact' }
      },
    })
  })

  it('may be of an interface where the schema says no more than that it is an object', () => {
    interface Task {
      readonly id: number
    }
    const task: Task = { id: 1 }
    const output = {
      type: 'object',
      properties: { tasks: { type: 'array', items: { type: 'object' } } },
    } as const
    defineTool({ name: 'tasks', output, run: () => ({ tasks: [task] }) })
  })

  it('is anything where there is no output schema, or one that the compiler does not know', () => {
    const output: object = { type: 'object' }
    for (const given of ['text', 5, null, [1], { a: 1 }, undefined])
      defineTool({ name: 'any', run: () => given })
    defineTool({ name: 'any', output, run: () => ({ a: 1 }) })
  })
})

const DRINK = {
  type: 'object',
  properties: { drink: { type: 'string', enum: ['tea', 'coffee'] }, sugar: { type: 'integer' } },
  required: ['drink'],
} as const
const ZOD_DRINK = z.object({ drink: z.enum(['tea', 'coffee']), sugar: z.number().int().optional() })
const VALIBOT_DRINK = toStandardJsonSchema(
  v.object({ drink: v.picklist(['tea', 'coffee']), sugar: v.optional(v.pipe(v.number(), v.integer())) }),
)
const ARKTYPE_DRINK = type({ drink: "'tea' | 'coffee'", 'sugar?': 'number.integer' })

interface Drink {
  readonly drink: 'tea' | 'coffee'
  readonly sugar?: number | undefined
}

const FORMS = [
  { language: 'a JSON Schema literal', form: elicit({ message: 'What?', schema: DRINK }) },
  { language: 'zod', form: elicit({ message: 'What?', schema: ZOD_DRINK }) },
  { language: 'valibot', form: elicit({ message: 'What?', schema: VALIBOT_DRINK }) },
  { language: 'arktype', form: elicit({ message: 'What?', schema: ARKTYPE_DRINK }) },
]

describe.each(FORMS)('a form written in $language', ({ form }) => {
  const order = defineTool({
    name: 'order',
    run: (_args, call) => {
      const asked = call.ask({ drink: form })
      if (asked instanceof Needs) return asked
      if (asked.drink.action !== 'accept') return 'Maybe later'
      const { drink, sugar = 0 } = asked.drink.content satisfies Drink
      return `One ${drink} with ${sugar}`
    },
  })
  const open = (revision: string, answer: object) =>
    createTestClient(defineServer({ name: 'bar', version: '1', tools: [order] }), {
      revision,
      answers: { 'elicitation/create': () => ({ ...answer }) },
    })

  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])('gives a typed answer in %s', async (revision) => {
    const client = await open(revision, { action: 'accept', content: { drink: 'tea', sugar: 2 } })
    expect(await client.callTool('order')).toMatchObject({ content: [{ text: 'One tea with 2' }] })
    const unwilling = await open(revision, { action: 'decline' })
    expect(await unwilling.callTool('order')).toMatchObject({ content: [{ text: 'Maybe later' }] })
  })

  it('lets no answer through that does not fit', async () => {
    const client = await open('2025-11-25', { action: 'accept', content: { drink: 'beer' } })
    const { isError, content } = await client.callTool('order')
    expect(isError).toBe(true)
    expect(content).toMatchObject([{ text: expect.stringContaining('drink') }])
  })

  it('is told to the client as hosts know it', () => {
    expect(form.params).toMatchObject({
      requestedSchema: {
        type: 'object',
        properties: {
          drink: { type: 'string', enum: expect.arrayContaining(['tea', 'coffee']) },
          sugar: { type: 'integer' },
        },
        required: ['drink'],
      },
    })
    const requested = form.params?.['requestedSchema']
    expect(Object.keys(requested as object).sort()).toEqual(['properties', 'required', 'type'])
  })
})

describe('what a client answers', () => {
  it('is of the type that its question says', () => {
    defineTool({
      name: 'ask',
      run: (_args, call) => {
        const asked = call.ask({
          drink: elicit({ message: 'What?', schema: ZOD_DRINK }),
          page: elicitUrl({ message: 'Sign in', url: 'https://example.com' }),
          poem: sample({ messages: [{ role: 'user', content: { type: 'text', text: 'Hm' } }], maxTokens: 5 }),
          folders: listRoots(),
        })
        if (asked instanceof Needs) return asked
        expectTypeOf(asked.page.action).toEqualTypeOf<'accept' | 'decline' | 'cancel'>()
        expectTypeOf(asked.poem.role).toEqualTypeOf<'user' | 'assistant'>()
        expectTypeOf(asked.folders.roots[0]?.uri).toEqualTypeOf<string | undefined>()
        if (asked.drink.action === 'accept')
          expectTypeOf(asked.drink.content.drink).toEqualTypeOf<'tea' | 'coffee'>()
        // @ts-expect-error Nothing of that name was asked.
        return asked.other
      },
    })
  })

  it('is asked for once, and what is asked later keeps it, with what was to be remembered', async () => {
    const rounds: unknown[] = []
    const name = (message: string) =>
      elicit({ message, schema: { type: 'object', properties: { name: { type: 'string' } } } })
    const tool = defineTool({
      name: 'two',
      run: (_args, call) => {
        rounds.push(call.state)
        const one = call.ask({ one: name('One?') }, { state: 'kept' })
        if (one instanceof Needs) return one
        const both = call.ask({ one: name('One?'), two: name('Two?') })
        return both instanceof Needs ? both : Object.keys(both).join()
      },
    })
    const asked: unknown[] = []
    const answer = (params: { readonly [key: string]: unknown }) => {
      asked.push(params['message'])
      return { action: 'accept' }
    }
    const client = await createTestClient(defineServer({ name: 's', version: '1', tools: [tool] }), {
      answers: { 'elicitation/create': answer },
    })
    expect(await client.callTool('two')).toMatchObject({ content: [{ text: 'one,two' }] })
    expect(asked).toEqual(['One?', 'Two?'])
    expect(rounds).toEqual([undefined, 'kept', 'kept'])
  })

  it('has content where a form was accepted without any', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } } as const
    const tool = defineTool({
      name: 'name',
      run: (_args, call) => {
        const asked = call.ask({ name: elicit({ message: 'Who?', schema }) })
        if (asked instanceof Needs) return asked
        return asked.name.action === 'accept' ? `${asked.name.content.name ?? 'nobody'}` : ''
      },
    })
    const server = defineServer({ name: 's', version: '1', tools: [tool] })
    for (const revision of ['2025-11-25', '2026-07-28']) {
      const answers = { 'elicitation/create': () => ({ action: 'accept' }) }
      const client = await createTestClient(server, { revision, answers })
      expect(await client.callTool('name')).toMatchObject({ content: [{ text: 'nobody' }] })
    }
  })
})
