import { expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { type JsonObject, parse, print } from '../../src/kernel/index.ts'
import { receive } from '../setup/receive.ts'

const LONG = 'x'.repeat(50_000)

const META = (version = '2026-07-28') => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
})

const server = (details: 'few' | 'many') =>
  defineServer({
    name: 's',
    version: '1',
    dialect: { details },
    tools: [
      {
        name: 'strict',
        input: {
          type: 'object',
          properties: {
            kind: { enum: ['a', 'b'] },
            text: { type: 'string', maxLength: 10, pattern: '^a' },
            one: { const: 1 },
            list: { type: 'array', items: { type: 'number' }, uniqueItems: true },
            named: { type: 'object', propertyNames: { maxLength: 3 } },
            numbers: { type: 'object', additionalProperties: { type: 'number' } },
          },
          additionalProperties: false,
        },
        run: () => 'fine',
      },
    ],
    prompts: [
      { name: 'p', arguments: [{ name: 'a', required: true }], complete: { a: () => [] }, render: () => 'p' },
    ],
    templates: [
      {
        name: 't',
        uriTemplate: 't://{a}',
        complete: { a: () => [] },
        read: () => undefined,
        subscribable: true,
      },
    ],
  })

const strict = (args: JsonObject) => ['tools/call', { name: 'strict', arguments: args }] as const

const ASKED: readonly (readonly [method: string, params: JsonObject])[] = [
  [LONG, {}],
  [`resources/${LONG}`, {}],
  ['tools/list', { cursor: LONG }],
  ['tools/call', { name: LONG }],
  ['tools/call', { name: { [LONG]: LONG } }],
  ['tools/call', { name: 'strict', arguments: LONG }],
  strict({ [LONG]: 1 }),
  strict({ kind: LONG }),
  strict({ text: LONG }),
  strict({ one: LONG }),
  strict({ list: [LONG] }),
  strict({ named: { [LONG]: 1 } }),
  strict({ numbers: { [LONG]: LONG } }),
  ['prompts/get', { name: LONG }],
  ['prompts/get', { name: 'p', arguments: { [LONG]: LONG } }],
  ['prompts/get', { name: 'p', arguments: { a: { [LONG]: LONG } } }],
  ['resources/read', { uri: LONG }],
  ['resources/read', { uri: `x://${LONG}` }],
  ['resources/read', { uri: `t://${LONG}` }],
  ['resources/subscribe', { uri: `x://${LONG}` }],
  ['completion/complete', { ref: { type: LONG }, argument: { name: 'a', value: '' } }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: LONG }, argument: { name: 'a', value: '' } }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: LONG, value: '' } }],
  [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: `x://${LONG}` }, argument: { name: 'a', value: '' } },
  ],
  [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: `t://${LONG}` }, argument: { name: LONG, value: '' } },
  ],
  ['logging/setLevel', { level: LONG }],
  ['tasks/get', { taskId: LONG }],
  ['server/discover', { _meta: META(LONG) }],
  ['tools/list', { _meta: { ...META(), 'io.modelcontextprotocol/logLevel': LONG } }],
  ['initialize', { protocolVersion: LONG, capabilities: {}, clientInfo: { name: 'c', version: '1' } }],
]

const title = ([method, params]: (typeof ASKED)[number]) =>
  `${method} ${JSON.stringify(params)}`.replaceAll(/x{100,}/g, 'x…')

for (const details of ['few', 'many'] as const)
  for (const asked of ASKED)
    it(`repeats little of what was sent, with ${details} details: ${title(asked)}`, async () => {
      const [method, params] = asked
      const one = server(details)
      const link = one.open({ outlet: { send: () => {} } })
      const lengths: number[] = []
      for (const one of [params, { _meta: META(), ...params }]) lengths.push(await ask(method, one))
      expect(Math.max(...lengths)).toBeLessThan(10_000)

      async function ask(method: string, params: JsonObject): Promise<number> {
        const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
        const reply = await receive(link, parse(text, one.dialect))
        return reply === undefined ? Number.POSITIVE_INFINITY : print(reply).length
      }
    })
