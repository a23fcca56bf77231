import type { CallerVerdict } from '../../src/contract/lock/change.ts'
import type { JsonObject } from '../../src/kernel/index.ts'

/** A change that somebody makes, and what it does to those who call. */
export interface Planted {
  readonly change: string
  readonly verdict: CallerVerdict | 'none'
  /** Whether it is inside of a schema's own parts. */
  readonly nested?: true
  readonly section: 'tools' | 'prompts' | 'resources' | 'templates'
  readonly before: readonly JsonObject[]
  readonly after: readonly JsonObject[]
}

const TEXT = { type: 'string' }
const COUNT = { type: 'integer' }

function object(properties: JsonObject, required: readonly string[] = [], more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, required, ...more }
}

interface Schemas {
  readonly input?: JsonObject
  readonly output?: JsonObject
  readonly more?: JsonObject
}

function tool({ input = object({ title: TEXT }), output, more = {} }: Schemas = {}): JsonObject {
  return {
    name: 'create_issue',
    inputSchema: input,
    ...(output !== undefined && { outputSchema: output }),
    ...more,
  }
}

type Told = readonly [change: string, verdict: Planted['verdict'], before: Schemas, after: Schemas]

const tools = ([change, verdict, before, after]: Told): Planted => ({
  change,
  verdict,
  section: 'tools',
  before: [tool(before)],
  after: [tool(after)],
})

/** An input, or an output, that has something within. */
const within = (schema: JsonObject): JsonObject => object({ filter: object({ part: schema }) })
const nested = (told: Told): Planted => ({ ...tools(told), nested: true })
const inner = (
  change: string,
  verdict: Planted['verdict'],
  [before, after]: readonly [JsonObject, JsonObject],
) => nested([change, verdict, { input: within(before) }, { input: within(after) }])
const given = (
  change: string,
  verdict: Planted['verdict'],
  [before, after]: readonly [JsonObject, JsonObject],
) => nested([change, verdict, { output: within(before) }, { output: within(after) }])

const offers = (
  section: Planted['section'],
  change: string,
  verdict: Planted['verdict'],
): ((before: readonly JsonObject[], after: readonly JsonObject[]) => Planted) => {
  return (before, after) => ({ change, verdict, section, before, after })
}

const kind = (name: string, more: JsonObject) => object({ kind: { const: name }, ...more }, ['kind'])

export const PLANTED: readonly Planted[] = [
  offers('tools', 'a tool is removed', 'breaking')([tool()], []),
  offers('tools', 'a tool is renamed', 'breaking')([tool()], [{ ...tool(), name: 'open_issue' }]),
  offers(
    'tools',
    'a tool is added',
    'compatible',
  )([tool()], [tool(), { ...tool(), name: 'close_issue', title: 'Close' }]),
  tools(['an argument becomes required', 'breaking', {}, { input: object({ title: TEXT }, ['title']) }]),
  tools(['an optional argument is added', 'compatible', {}, { input: object({ title: TEXT, body: TEXT }) }]),
  tools([
    'a required argument is added',
    'breaking',
    {},
    { input: object({ title: TEXT, body: TEXT }, ['body']) },
  ]),
  tools(['an argument is removed', 'breaking', { input: object({ title: TEXT, body: TEXT }) }, {}]),
  tools([
    'a required argument becomes optional',
    'compatible',
    { input: object({ title: TEXT }, ['title']) },
    {},
  ]),
  tools([
    'others than those named are refused',
    'wording',
    {},
    { input: object({ title: TEXT }, [], { additionalProperties: false }) },
  ]),
  tools(['an output is promised', 'compatible', {}, { output: object({ id: COUNT }) }]),
  tools(['an output is no longer promised', 'breaking', { output: object({ id: COUNT }) }, {}]),
  tools([
    'a promised member may be missing',
    'breaking',
    { output: object({ id: COUNT }, ['id']) },
    { output: object({ id: COUNT }) },
  ]),
  tools([
    'a member more is given',
    'compatible',
    { output: object({ id: COUNT }, ['id']) },
    { output: object({ id: COUNT, url: TEXT }, ['id', 'url']) },
  ]),
  tools(['the description changes', 'wording', {}, { more: { description: 'Opens an issue' } }]),
  tools([
    'it can be run as a task only',
    'breaking',
    {},
    { more: { execution: { taskSupport: 'required' } } },
  ]),
  offers(
    'prompts',
    'an argument of a prompt becomes required',
    'breaking',
  )(
    [{ name: 'review', arguments: [{ name: 'code' }] }],
    [{ name: 'review', arguments: [{ name: 'code', required: true }] }],
  ),
  offers(
    'prompts',
    'a prompt has one optional argument more',
    'compatible',
  )([{ name: 'review', arguments: [] }], [{ name: 'review', arguments: [{ name: 'style' }] }]),
  offers(
    'resources',
    'a resource has another type',
    'breaking',
  )(
    [{ uri: 'memo://one', name: 'one', mimeType: 'text/plain' }],
    [{ uri: 'memo://one', name: 'one', mimeType: 'application/json' }],
  ),
  offers(
    'templates',
    'a template has other variables',
    'breaking',
  )(
    [{ uriTemplate: 'memo://{name}', name: 'memo' }],
    [{ uriTemplate: 'memo://{year}/{name}', name: 'memo' }],
  ),
  offers(
    'tools',
    'members stand in another order',
    'none',
  )(
    [tool({ input: { type: 'object', properties: { a: TEXT, b: COUNT } } })],
    [tool({ input: { properties: { b: COUNT, a: TEXT }, type: 'object' } })],
  ),
  inner('a choice is taken away', 'breaking', [{ enum: ['open', 'closed'] }, { enum: ['open'] }]),
  inner('a choice is added', 'compatible', [{ enum: ['open'] }, { enum: ['open', 'closed'] }]),
  inner('null is no longer taken', 'breaking', [{ type: ['string', 'null'] }, TEXT]),
  inner('a type and null, written in another way', 'wording', [
    { type: ['string', 'null'] },
    { anyOf: [TEXT, { type: 'null' }] },
  ]),
  inner('what stood in place is referred to', 'wording', [
    { ...TEXT, maxLength: 5 },
    { allOf: [TEXT, { maxLength: 5 }] },
  ]),
  inner('a number has to be whole', 'breaking', [{ type: 'number' }, COUNT]),
  inner('a whole number may be any', 'compatible', [COUNT, { type: 'number' }]),
  inner('the largest is smaller', 'breaking', [
    { ...COUNT, maximum: 100 },
    { ...COUNT, maximum: 50 },
  ]),
  inner('the smallest, written in another way', 'wording', [
    { ...COUNT, exclusiveMinimum: 0 },
    { ...COUNT, minimum: 1 },
  ]),
  inner('a text may be longer', 'compatible', [
    { ...TEXT, maxLength: 5 },
    { ...TEXT, maxLength: 9 },
  ]),
  inner('a format is asked for', 'breaking', [TEXT, { ...TEXT, format: 'date' }]),
  inner('any address instead of a whole one', 'compatible', [
    { ...TEXT, format: 'uri' },
    { ...TEXT, format: 'uri-reference' },
  ]),
  inner('another pattern', 'undecided', [
    { ...TEXT, pattern: '^a+$' },
    { ...TEXT, pattern: '^a*$' },
  ]),
  inner('a list wants at least one', 'breaking', [
    { type: 'array', items: TEXT },
    { type: 'array', items: TEXT, minItems: 1 },
  ]),
  inner('what a list is of', 'breaking', [
    { type: 'array', items: TEXT },
    { type: 'array', items: COUNT },
  ]),
  inner('one of several kinds wants more', 'breaking', [
    { oneOf: [kind('a', { to: TEXT }), kind('b', { of: COUNT })] },
    { oneOf: [kind('b', { of: COUNT }), kind('a', { to: { ...TEXT, minLength: 1 } })] },
  ]),
  inner('another kind is taken', 'compatible', [
    kind('a', { to: TEXT }),
    { oneOf: [kind('b', {}), kind('a', { to: TEXT })] },
  ]),
  given('a member may be null', 'breaking', [TEXT, { type: ['string', 'null'] }]),
  given('one more answer is possible', 'breaking', [{ enum: ['open'] }, { enum: ['open', 'closed'] }]),
  given('fewer answers are possible', 'compatible', [{ enum: ['open', 'closed'] }, { enum: ['open'] }]),
]
