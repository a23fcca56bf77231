import { Buffer } from 'node:buffer'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createTestClient, defineServer } from '../../src/index.ts'
import { checkBytes } from '../../src/kernel/results/check-bytes.ts'

const BYTES = Buffer.from('a picture')
const OBJECT = { type: 'object', properties: {} } as const

/** What tools give when they forget that a result is JSON. */
const GIVEN: readonly (readonly [string, unknown])[] = [
  ['9 bytes (Buffer)', BYTES],
  ['2 bytes (Uint8Array)', new Uint8Array(2)],
  ['16 bytes (Float64Array)', new Float64Array(2)],
  ['3 bytes (ArrayBuffer)', new ArrayBuffer(3)],
  ['9 bytes (Buffer) as data', { data: BYTES }],
  ['9 bytes (Buffer) as file.data', { file: { data: BYTES } }],
  ['9 bytes (Buffer) as files[1].data', { files: [{ name: 'a' }, { data: BYTES }] }],
  ['9 bytes (Buffer) as structuredContent.data', { structuredContent: { data: BYTES } }],
  [
    '4 bytes (Uint8Array) as content[0].resource.blob',
    {
      content: [{ type: 'resource', resource: { uri: 'a://b', blob: new Uint8Array(4) } }],
      structuredContent: {},
    },
  ],
  ['9 bytes (Buffer) as _meta.a', { structuredContent: {}, _meta: { a: BYTES } }],
  ['9 bytes (Buffer) as rows[4999].data', { rows: [...Array(4999).fill({ data: '' }), { data: BYTES }] }],
  [
    '9 bytes (Buffer) as c40',
    Object.fromEntries([...Array(41).keys()].map((at) => [`c${at}`, at === 40 ? BYTES : {}])),
  ],
  [
    '9 bytes (Buffer) as a.a.a.a.a.a.a.a.a[0]',
    { a: { a: { a: { a: { a: { a: { a: { a: { a: [BYTES] } } } } } } } } },
  ],
]

it.each(GIVEN)('%s is no result, and the author is told what is', async (found, given) => {
  const tools = [
    { name: 'plain', run: () => given },
    { name: 'promised', output: OBJECT, run: async () => given },
  ]
  const client = await createTestClient(defineServer({ name: 's', version: '1', tools }))
  for (const name of ['plain', 'promised']) {
    const { content, isError } = await client.callTool(name)
    expect(isError).toBe(true)
    expect(content).toMatchObject([{ text: expect.stringContaining(`The tool gave ${found}, and a result`) }])
  }
})

it('bytes of which an output schema makes something else are that', async () => {
  const output = z.object({
    hash: z
      .instanceof(Uint8Array)
      .transform((bytes) => `${bytes.length} bytes`)
      .pipe(z.string()),
  })
  const tools = [{ name: 'hash', output, run: () => ({ hash: BYTES }) }]
  const client = await createTestClient(defineServer({ name: 's', version: '1', tools }))
  expect(await client.callTool('hash')).toMatchObject({ structuredContent: { hash: '9 bytes' } })
})

it('of a list the members are looked at, and its places are not made', () => {
  const list = new Proxy([1, [BYTES]], { ownKeys: () => expect.unreachable('all of its places are made') })
  expect(() => checkBytes({ list })).toThrow('as list[1][0]')
})

it('what is not printed is no mistake', () => {
  expect(() => checkBytes(Object.create({ inherited: BYTES }))).not.toThrow()
})

it('what holds itself, and more than once, is looked through for no longer than the largest result', () => {
  const one: { [name: string]: unknown } = { rest: [] }
  Object.assign(one, { one, other: [one, one] })
  expect(() => checkBytes(one)).not.toThrow()
})

it('what prints itself is left to do so', async () => {
  const run = () => ({ at: new Date(0), size: { bytes: BYTES, toJSON: () => 9 } })
  const client = await createTestClient(
    defineServer({ name: 's', version: '1', tools: [{ name: 'look', run }] }),
  )
  const { structuredContent } = await client.callTool('look')
  expect(structuredContent).toEqual({ at: '1970-01-01T00:00:00.000Z', size: 9 })
})
