import fc from 'fast-check'

/** Any JSON value, with the keys and numbers that have bitten others among them. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(null, true, 0, -0, 0.5, 1e308, 2 ** 53, -(2 ** 53), '', '1', [], {}),
  },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      fc.constantFrom('__proto__', 'constructor', 'toString', 'length', 'name', 'arguments', '_meta', 'uri'),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  },
)

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'server/discover',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
]

export const anyMethod: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...METHODS) },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty', '') },
  { weight: 1, arbitrary: fc.string() },
)

/** Something between a message and nonsense: any member may be missing, and may be any JSON. */
export const anyMessage: fc.Arbitrary<object> = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, anyJson),
    id: fc.oneof({ weight: 3, arbitrary: fc.integer() }, anyJson),
    method: fc.oneof({ weight: 9, arbitrary: anyMethod }, anyJson),
    params: anyJson,
    result: anyJson,
    error: anyJson,
  },
  { requiredKeys: [] },
)

/** Bytes as they might arrive: messages, lines of text, bytes at random, and mixtures of these. */
export const anyInput: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: anyMessage.map((message) => `${JSON.stringify(message)}\n`) },
      {
        weight: 1,
        arbitrary: fc.array(anyMessage, { maxLength: 4 }).map((batch) => `${JSON.stringify(batch)}\n`),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('\n', '\r\n', '\uFEFF', '{', '"', '[[[[', '\u0000', ' '.repeat(300)),
      },
      { weight: 2, arbitrary: fc.uint8Array({ maxLength: 64 }) },
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))))

/** The same bytes in pieces; the cuts may fall anywhere. */
export function cut(bytes: Uint8Array, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, index) => Buffer.from(bytes.subarray(places[index], end)))
}

export const anyCuts: fc.Arbitrary<number[]> = fc.array(fc.nat({ max: 5000 }), { maxLength: 30 })

/** What JSON-RPC allows on the wire, and the newest revisions' error without an id. */
export function isJsonRpc(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => isJsonRpc(one))
  if (typeof value !== 'object' || value === null) return false
  const { jsonrpc, id, method, result, error } = value as Record<string, unknown>
  if (jsonrpc !== '2.0') return false
  if (typeof method === 'string') return result === undefined && error === undefined
  const settled = typeof result === 'object' && result !== null
  const refused = isError(error)
  const known = typeof id === 'string' || Number.isInteger(id)
  return settled ? known && error === undefined : refused && (known || id === null || id === undefined)
}

function isError(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { code, message } = value as Record<string, unknown>
  return Number.isInteger(code) && typeof message === 'string'
}
