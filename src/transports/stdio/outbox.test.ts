import { expect, it } from 'vitest'
import type { KernelEvent, Outgoing } from '../../kernel/index.ts'
import { DEFAULT_DIALECT } from '../../kernel/index.ts'
import { Outbox } from './outbox.ts'

const LONG = 'x'.repeat(16 * 1024)
const answer = (text: string, id = 1): Outgoing => ({ jsonrpc: '2.0', id, result: { text } })

interface Situation {
  readonly limit?: number
  readonly waiting?: number
  readonly elsewhere?: number
  readonly crowded?: () => string
}

function createOutbox({ limit = 20_000, waiting = 0, elsewhere = 0, crowded }: Situation = {}) {
  const written: string[] = []
  const told: KernelEvent[] = []
  const output = {
    waiting,
    write: (text: string) => {
      written.push(text)
      return false
    },
    onceDrained() {},
  }
  const server = { dialect: DEFAULT_DIALECT, observe: (event: KernelEvent) => void told.push(event) }
  const outbox = new Outbox({ output, server, limit, elsewhere: () => elsewhere, crowded })
  return { outbox, written, told, output }
}

it('writes what was added at once, a line each, and nothing where nothing was', () => {
  const { outbox, written } = createOutbox()
  expect(outbox.flush()).toBe(true)
  outbox.add('a')
  outbox.reply(answer('b'))
  expect(outbox.length).toBe('a\n'.length + outbox.print(answer('b')).length + 1)
  expect(outbox.flush()).toBe(false)
  expect(outbox.flush()).toBe(true)
  expect(written).toEqual([`a\n${outbox.print(answer('b'))}\n`])
})

it('counts what waits in the pipe, here and elsewhere', () => {
  const { outbox } = createOutbox({ waiting: 100, elsewhere: 10 })
  outbox.add('')
  expect(outbox.waiting).toBe(111)
})

it('lets a long answer wait up to the limit, and makes an error of one beyond it', () => {
  const { length } = createOutbox().outbox.print(answer(LONG))
  const fits = createOutbox({ limit: length + 10, waiting: 10 })
  expect(fits.outbox.print(answer(LONG))).toHaveLength(length)
  const beyond = createOutbox({ limit: length + 9, waiting: 10 })
  expect(JSON.parse(beyond.outbox.print(answer(LONG)))).toMatchObject({
    id: 1,
    error: { message: expect.stringContaining(`${length} bytes is lost: 10 bytes wait to be read already`) },
  })
})

it('gives a client that reads an answer of any length, and one that does not the short ones', () => {
  expect(createOutbox({ limit: 1 }).outbox.print(answer(LONG))).toContain(LONG)
  const { outbox } = createOutbox({ limit: 1, waiting: 1 })
  const shortest = 16 * 1024 - outbox.print(answer('')).length
  expect(outbox.print(answer('x'.repeat(shortest)))).toContain('"result"')
  expect(outbox.print(answer('x'.repeat(shortest + 1)))).toContain('"error"')
})

it('makes an error of each answer of a batch that is too long', () => {
  const { outbox } = createOutbox({ limit: 1, waiting: 1 })
  const refused = { jsonrpc: '2.0', id: 2, error: { code: -1, message: 'no' } } as const
  const batch = [answer(LONG, 1), refused] as Outgoing // Replies, as it wants them.
  const [first, second] = JSON.parse(outbox.print(batch))
  expect(first).toMatchObject({ id: 1, error: { message: expect.stringContaining('is lost') } })
  expect(second).toEqual(refused)
})

it('drops a notice that would have to wait behind too much, and no question', () => {
  const { outbox } = createOutbox({ limit: 1, waiting: 1 })
  outbox.tell({ jsonrpc: '2.0', method: 'notifications/message', params: {} })
  expect(outbox.length).toBe(0)
  outbox.tell({ jsonrpc: '2.0', id: 7, method: 'roots/list', params: {} })
  expect(outbox.length).toBeGreaterThan(0)
})

it('tells whoever runs the server once that the client does not read', () => {
  const { outbox, told } = createOutbox({ limit: 1, waiting: 5 })
  outbox.print(answer('short'))
  expect(told).toEqual([])
  outbox.print(answer(LONG))
  outbox.print(answer(LONG))
  expect(told).toEqual([
    {
      kind: 'noted',
      level: 'warning',
      message: 'The client does not read: 5 bytes wait to be read, and large answers become errors',
    },
  ])
})

it('keeps long answers from a client that reads while others do not, and says why', () => {
  const { outbox, told } = createOutbox({ limit: 1, crowded: () => 'others come first' })
  const refused = JSON.parse(outbox.print(answer(LONG)))
  expect(refused.error.message).toMatch(/^The call is done, and its answer of \d+ bytes is lost: others come/)
  expect(told).toMatchObject([{ message: 'Other clients do not read, and large answers become errors' }])
  expect(outbox.print(answer('short'))).toContain('"result"')
  outbox.tell({ jsonrpc: '2.0', method: 'notifications/message', params: {} })
  expect(outbox.length).toBeGreaterThan(0)
})
