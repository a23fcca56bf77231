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
