import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NEWEST, REVISIONS } from '../../src/kernel/index.ts'
import { createSealer } from '../../src/platform/sealing.ts'
import { connectMemory, type Heard } from '../../src/transports/memory/index.ts'
import { anyJson, anyMethod } from './any.ts'
import { createSample } from './property-sample.ts'

/** Nothing that is said to it changes what it says next, so one serves all examples. */
const sample = createSample()
const revision = fc.constantFrom(...REVISIONS.map(({ id }) => id))

it('echoes an id with its type, or refuses it', async () => {
  await fc.assert(
    fc.asyncProperty(revision, anyJson, async (version, id) => {
      const [reply] = await ask(version, { jsonrpc: '2.0', id, method: 'tools/list', params: {} })
      // What was sent is what JSON makes of it: -0 is 0 there.
      const sent: unknown = JSON.parse(JSON.stringify(id))
      if (typeof sent === 'string' || Number.isSafeInteger(sent)) {
        expect(reply).toMatchObject({ id: sent, result: {} })
      } else {
        expect(reply).toMatchObject({ error: { code: -32600 } })
        expect(reply?.['id'] ?? null).toBe(null)
      }
    }),
    { numRuns: 500 },
  )
})

it.each(['9007199254740993', '-9007199254740993', '1e400', '1.5', '123456789012345678901234567890'])(
  'refuses the id %s, which it could not give back',
  async (id) => {
    const [reply] = await ask(undefined, `{"jsonrpc":"2.0","id":${id},"method":"ping"}`)
    expect(reply).toMatchObject({ id: null, error: { code: -32600 } })
  },
)

it('has no internal error for any params', async () => {
  await fc.assert(
    fc.asyncProperty(revision, anyMethod, anyJson, async (version, method, params) => {
      const replies = await ask(version, { jsonrpc: '2.0', id: 'q', method, params })
      expect(replies.filter(({ error }) => codeOf(error) === -32603)).toEqual([])
    }),
    { numRuns: 3000 },
  )
})

it('has no internal error for any arguments, of any tool, prompt or template', async () => {
  const name = fc.constantFrom('echo', 'sum', 'anything', 'greet', '__proto__', 'constructor')
  const method = fc.constantFrom('tools/call', 'prompts/get', 'completion/complete', 'resources/read')
  await fc.assert(
    fc.asyncProperty(
      revision,
      method,
      name,
      anyJson,
      fc.string(),
      async (version, called, key, args, text) => {
        const params = {
          name: key,
          arguments: args,
          uri: `memo://${text}`,
          ref: { type: 'ref/resource', uri: 'memo://{name}/{+rest}', name: key },
          argument: { name: 'name', value: text },
          context: { arguments: args },
        }
        const replies = await ask(version, { jsonrpc: '2.0', id: 'q', method: called, params })
        expect(replies).toHaveLength(1)
        expect(codeOf(replies[0]?.['error'])).not.toBe(-32603)
      },
    ),
    { numRuns: 2000 },
  )
})

it('has no internal error for any _meta, state or answers', async () => {
  await fc.assert(
    fc.asyncProperty(
      revision,
      anyJson,
      anyJson,
      anyJson,
      async (version, meta, requestState, inputResponses) => {
        const params = { name: 'echo', arguments: {}, requestState, inputResponses }
        const replies = await ask(version, { jsonrpc: '2.0', id: 'q', method: 'tools/call', params }, meta)
        expect(replies.filter(({ error }) => codeOf(error) === -32603)).toEqual([])
      },
    ),
    { numRuns: 1000 },
  )
})

it('opens what it sealed, and nothing that was changed, cut or bound to something else', () => {
  const sealer = createSealer(['secret'])
  const other = createSealer(['another'])
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.nat(),
      fc.string(),
      (text, bound, place, piece) => {
        const token = sealer.seal(text, bound)
        const at = place % (token.length + 1)
        expect(sealer.open(token, bound)).toBe(Buffer.from(text).toString())
        expect(sealer.open(token, `${bound}.`)).toBe(undefined)
        expect(other.open(token, bound)).toBe(undefined)
        if (at < token.length) expect(sealer.open(token.slice(0, at), bound)).toBe(undefined)
        const mutations = [
          token.slice(0, at) + piece + token.slice(at),
          piece + token.slice(at),
          token.slice(0, at) + piece,
        ]
        for (const mutated of mutations) {
          if (mutated !== token) expect(sealer.open(mutated, bound)).toBe(undefined)
        }
      },
    ),
    { numRuns: 1000 },
  )
})

it('opens no token of which one character is another', () => {
  const sealer = createSealer([])
  const token = sealer.seal('{"answers":{}}', 'bound')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ \n'
  for (let at = 0; at < token.length; at++) {
    for (const character of alphabet) {
      if (token[at] === character) continue
      expect(sealer.open(token.slice(0, at) + character + token.slice(at + 1), 'bound')).toBe(undefined)
    }
  }
})

/** Sends one message after the opening of a revision, and gives all replies to it. */
async function ask(version: string | undefined, message: object | string, meta?: unknown): Promise<Heard[]> {
  const heard: Heard[] = []
  const end = connectMemory(sample, (one) => heard.push(one))
  const handshake = version !== undefined && version !== NEWEST.id
  if (handshake) {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'p', version: '1' } }
    end.send({ jsonrpc: '2.0', id: 'open', method: 'initialize', params })
    end.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    heard.length = 0
  }
  end.send(typeof message === 'string' ? message : introduced(message, version, meta))
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  end.close()
  return heard.filter(({ method }) => method === undefined)
}

/** Says who sends it where the revision wants that, as long as the params are an object. */
function introduced(
  message: object,
  version: string | undefined,
  meta: unknown,
): object & { readonly [key: string]: never } {
  const { params } = message as { readonly params?: unknown }
  const sent = { ...message } as { [key: string]: never }
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return sent
  const introduction = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const _meta = version === NEWEST.id && meta === undefined ? introduction : meta
  return { ...sent, params: { ...params, ...(_meta !== undefined && { _meta }) } } as typeof sent & {
    params: never
  }
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: number } | undefined)?.code
}
