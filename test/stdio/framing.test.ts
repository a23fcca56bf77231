import { expect, it as test } from 'vitest'
import { Child, call, needProc, OPENING, ping, textOf } from './child.ts'

/** Each has a process of its own, and most of them wait most of the time. */
const it = test.concurrent

const MiB = 1024 * 1024

it('puts characters together that arrive byte by byte', async () => {
  await using child = new Child()
  const line = `${JSON.stringify(call(1, 'echo', { text: 'Grüße, 世界 🌍' }))}\n`
  child.say(...OPENING)
  await child.answer(0)
  for (const byte of Buffer.from(line)) {
    child.write(Buffer.of(byte))
    await new Promise(setImmediate)
  }
  expect(textOf(await child.answer(1))).toBe('Grüße, 世界 🌍')
})

it('takes CRLF, blank lines and a byte order mark', async () => {
  await using child = new Child()
  child.write(`\uFEFF${JSON.stringify(ping(1))}\r\n\r\n\n   \n\t\r\n${JSON.stringify(ping(2))}\r\n`)
  child.process.stdin.end()
  expect((await child.rest()).map(({ id }) => id)).toEqual([1, 2])
})

it('answers a last line that has no newline', async () => {
  await using child = new Child()
  child.write(`${JSON.stringify(ping(1))}\n${JSON.stringify(ping(2))}`)
  child.process.stdin.end()
  expect((await child.rest()).map(({ id }) => id)).toEqual([1, 2])
  expect(await child.ended).toBe(0)
})

it.each([
  ['text that is no JSON', 'hello', -32700],
  ['a text that stops in the middle', '{"jsonrpc":"2.0","id":1,"meth', -32700],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), -32700],
  ['a surrogate half in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), -32700],
  ['NUL bytes', Buffer.alloc(1000), -32700],
  ['100,000 brackets', '['.repeat(100_000), -32600],
  ['100,000 objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, -32600],
  ['a number', '5', -32600],
  ['null', 'null', -32600],
  ['an empty batch', '[]', -32600],
])('refuses %s and goes on', async (_name, line, code) => {
  await using child = new Child()
  child.write(line)
  child.write('\n')
  const refusal = await child.next()
  expect(refusal).toMatchObject({ jsonrpc: '2.0', error: { code } })
  expect(refusal?.id).toBe(null)
  child.say(ping(2))
  expect(await child.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
})

it('refuses a request that is too deep under its id', async () => {
  await using child = new Child()
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  child.write(`{"jsonrpc":"2.0","method":"ping","params":{"id":9,"x":${deep}},"id":"deep"}\n`)
  expect(await child.next()).toMatchObject({ id: 'deep', error: { code: -32600 } })
})

it('refuses a line that is too long before its end has come, once, and under its id', async () => {
  await using child = new Child()
  child.write(`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"${'x'.repeat(MiB)}`)
  expect(await child.next()).toMatchObject({ id: 7, error: { code: -32600 } })
  child.write('x'.repeat(MiB))
  child.write(`"}}\n${JSON.stringify(ping(8))}\n`)
  expect(await child.next()).toEqual({ jsonrpc: '2.0', id: 8, result: {} })
})

it('takes a line that is exactly as long as allowed', async () => {
  await using child = new Child({ settings: { maxLineBytes: 100 } })
  child.write(`${JSON.stringify(ping(1)).padEnd(100)}\n${JSON.stringify(ping(2)).padEnd(101)}\n`)
  expect(await child.next()).toMatchObject({ id: 1, result: {} })
  expect(await child.next()).toMatchObject({ id: 2, error: { code: -32600 } })
})

it('refuses a long line that the end of input cuts off once', async () => {
  await using child = new Child({ settings: { maxLineBytes: 100 } })
  child.write('x'.repeat(300))
  child.process.stdin.end()
  expect(await child.rest()).toMatchObject([{ id: null, error: { code: -32600 } }])
  expect(await child.ended).toBe(0)
})

test('does not keep a line of 256 MiB', async (context) => {
  needProc(context)
  await using child = new Child()
  const piece = Buffer.alloc(MiB, 'x')
  for (let sent = 0; sent < 256; sent++) child.write(piece)
  child.write(`\n${JSON.stringify(ping(1))}\n`)
  expect(await child.next()).toMatchObject({ error: { code: -32600 } })
  expect(await child.next()).toMatchObject({ id: 1, result: {} })
  expect(child.peakMemory()).toBeLessThan(150)
})

it('answers a flood of nonsense line by line', async () => {
  await using child = new Child({ reading: 'later' })
  child.write('\n'.repeat(8 * MiB))
  child.write('x\n'.repeat(50_000))
  child.process.stdin.end()
  child.read()
  const heard = await child.rest()
  expect(heard).toHaveLength(50_000)
  expect(heard.every(({ error }) => error?.code === -32700)).toBe(true)
})
