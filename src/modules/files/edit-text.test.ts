import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editText } from './edit-text.ts'

const LONG = 'a'.repeat(500_000)

it.each([
  ['that is not there', `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`, 'does not stand in the file'],
  ['that is there again and again', 'a'.repeat(250_000), 'stands 250001 times'],
])('finds a long piece that repeats itself as fast as any: one %s', async (_which, oldText, said) => {
  await expect(editText(LONG, [{ oldText, newText: '' }])).rejects.toThrow(said)
})

it('replaces pieces of any length, one or all', async () => {
  for (const length of [1, 2, 63, 64, 65, 200]) {
    const part = `${'ab'.repeat(length)}a`
    const text = `x${part}${part}y${part}`
    expect(await editText(text, [{ oldText: part, newText: '-', all: true }])).toEqual({
      text: 'x--y-',
      replaced: 3,
    })
    expect(await editText(`(${part})`, [{ oldText: part, newText: '' }])).toEqual({ text: '()', replaced: 1 })
  }
})

it('replaces pieces wherever they stand in a long text, as replaceAll does', async () => {
  const part = fc.oneof(fc.constantFrom('a', 'ab', 'aab', '\n'), fc.constant('ab'.repeat(50)))
  const text = fc
    .tuple(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 9 }), fc.nat(5))
    .map(([unit, more]) => 'b'.repeat(more) + unit.repeat(Math.ceil(600_000 / unit.length)))
  await fc.assert(
    fc.asyncProperty(text, part, fc.constantFrom('', 'x', '$&'), async (before, oldText, newText) => {
      fc.pre(before.includes(oldText))
      const { text: after, replaced } = await editText(before, [{ oldText, newText, all: true }])
      expect(after === before.replaceAll(oldText, () => newText)).toBe(true)
      expect(replaced).toBe(before.split(oldText).length - 1)
    }),
    { numRuns: 30 },
  )
})

it.each([
  ['all', { oldText: 'a', newText: '中'.repeat(21), all: true }],
  ['one', { oldText: 'b', newText: '中'.repeat(2_000_000) }],
])('lets no text grow past twice what can be edited again: %s', async (_which, edit) => {
  await expect(editText(`${'a'.repeat(100_000)}b`, [edit])).rejects.toThrow(
    'the file would become longer than 2097152 characters, which is the limit. Nothing was changed',
  )
})

it('replaces four million pieces, and not each letter again and again', async () => {
  const edit = { oldText: 'a', newText: 'a', all: true }
  await expect(editText('a'.repeat(1_500_000), [edit, edit, edit])).rejects.toThrow(
    'edits[2].oldText: "a": with it more than 4194304 pieces would be replaced, which is the limit',
  )
})

it('stops between two edits where nobody waits any more', async () => {
  let asked = 0
  const leave = () => {
    if (++asked === 2) throw new Error('left')
  }
  const edits = ['a', 'b', 'c'].map((oldText) => ({ oldText, newText: '' }))
  await expect(editText('abc', edits, leave)).rejects.toThrow('left')
  expect(asked).toBe(2)
})

it.each([
  ['all', { oldText: 'a', newText: 'b', all: true }],
  ['one', { oldText: 'c', newText: 'b' }],
])('gives way to others while it goes through a long text: %s', async (_which, edit) => {
  const turns = await countTurns(() => editText(`${'a'.repeat(2_000_000)}c`, [edit]))
  expect(turns).toBeGreaterThan(5)
})

/** How often others could have done something meanwhile. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isDone = true
  return turns
}
