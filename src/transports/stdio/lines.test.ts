import { expect, it, onTestFinished, vi } from 'vitest'
import { Lines } from './lines.ts'

/** The lines of some chunks; a refused one is told by its code name. */
function linesOf(chunks: readonly (string | Uint8Array)[], limit = 1000): unknown[] {
  const lines = new Lines(limit)
  const read = chunks.flatMap((chunk) => lines.push(Buffer.from(chunk as string)))
  return [...read, ...lines.end()].map((line) => (typeof line === 'string' ? line : line.fault.fault))
}

it('splits at newlines, wherever the chunks end', () => {
  expect(linesOf(['a\nb\nc\n'])).toEqual(['a', 'b', 'c'])
  expect(linesOf(['a', '\n', 'b\nc', 'd\n', '\n'])).toEqual(['a', 'b', 'cd'])
})

it('takes what stands after the last newline for a line', () => {
  expect(linesOf(['a\nb'])).toEqual(['a', 'b'])
  expect(linesOf([])).toEqual([])
})

it('leaves out blank lines, and leaves carriage returns to JSON', () => {
  expect(linesOf(['\n\r\n  \n\t\na\r\n'])).toEqual(['a\r'])
})

it('puts a character together that was cut', () => {
  const [first, second, third, fourth] = Buffer.from('🌍')
  const pieces = [first, second, third, fourth].map((byte) => Buffer.of(byte ?? 0))
  expect(linesOf([...pieces, '\n'])).toEqual(['🌍'])
})

it('takes a byte order mark off the first line only', () => {
  expect(linesOf(['\uFEFFa\n\uFEFFb\n'])).toEqual(['a', '\uFEFFb'])
  expect(linesOf([Buffer.of(0xef), Buffer.of(0xbb), Buffer.of(0xbf), 'a\n'])).toEqual(['a'])
})

it('refuses a line that is not UTF-8, and none of those around it', () => {
  expect(linesOf([Buffer.from([97, 10, 255, 10, 98, 10]), 'c\n'])).toEqual(['a', 'parseError', 'b', 'c'])
  expect(linesOf([Buffer.from([97, 10, 10, 255, 10, 98, 10])])).toEqual(['a', 'parseError', 'b'])
  expect(linesOf([Buffer.from([0xf0, 0x9f, 10]), 'c\n'])).toEqual(['parseError', 'c'])
})

it('refuses a line that is too long while it arrives, once', () => {
  const lines = new Lines(3)
  expect(lines.push(Buffer.from('abc'))).toEqual([])
  expect(lines.push(Buffer.from('d'))).toMatchObject([
    { kind: 'refused', fault: { fault: 'invalidRequest' } },
  ])
  expect(lines.push(Buffer.from('efghi'))).toEqual([])
  expect(lines.push(Buffer.from('jk\nxyz\nlong!\nab'))).toMatchObject(['xyz', { kind: 'refused' }])
  expect(lines.end()).toEqual(['ab'])
})

it('looks for the id of a long line up to the limit, however it was cut', () => {
  const text = '{"id":5,"method":"é","params":{"a":"xxxxxxxxxxxxxxxxxxxxxxxxx"}}'
  for (const limit of [19, 20, 30]) {
    for (const chunks of [[text], [text.slice(0, 9), text.slice(9)], text.split('')]) {
      const lines = new Lines(limit)
      const [refused] = chunks.flatMap((chunk) => lines.push(Buffer.from(chunk)))
      expect(refused).toMatchObject({ id: limit < 22 ? undefined : 5 })
    }
  }
  const [cutInTwo] = new Lines(27).push(Buffer.from(`{"id":5,"method":"m","a":"${'é'.repeat(9)}"}`))
  expect(cutInTwo).toMatchObject({ id: 5 })
  const [broken] = new Lines(30).push(
    Buffer.concat([Buffer.from('{"id":5,"method":"m","a":"'), Buffer.alloc(50, 255)]),
  )
  expect(broken).toMatchObject({ id: undefined })
})

it('does not repeat the id of a long line where that is longer than it may be', () => {
  const line = (id: string) => Buffer.from(`{"id":"${id}","method":"m","params":"${'x'.repeat(100)}"}\n`)
  const lines = new Lines(80, 5)
  expect(lines.push(line('short'))).toMatchObject([{ kind: 'refused', id: 'short' }])
  expect(lines.push(line('longer'))).toMatchObject([{ kind: 'refused', id: undefined, method: 'm' }])
})

it('reads a line that came in very many pieces', () => {
  const lines = new Lines(1 << 20)
  for (let count = 0; count < 200_000; count++) lines.push(Buffer.of(97))
  expect(lines.push(Buffer.from('\n'))).toEqual(['a'.repeat(200_000)])
})

it('copies a line that drips in once, and once more when it is whole', () => {
  let copied = 0
  const typed = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array
  const { set } = typed
  const spies = [
    vi.spyOn(typed, 'set').mockImplementation(function (this: Uint8Array, from, at) {
      copied += from.length
      set.call(this, from, at)
    }),
    vi.spyOn(Buffer, 'concat').mockImplementation((parts) => {
      const whole = Buffer.alloc(parts.reduce((sum, { length }) => sum + length, 0))
      parts.reduce((at, part) => {
        whole.set(part, at)
        return at + part.length
      }, 0)
      return whole
    }),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  const lines = new Lines(1_000_000)
  const drip = Buffer.from('x')
  for (let count = 0; count < 50_000; count++) lines.push(drip)
  const [line] = lines.push(Buffer.from('\n'))
  expect(line).toHaveLength(50_000)
  expect(copied).toBeLessThan(2.1 * 50_000)
})
