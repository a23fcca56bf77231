import { describe, expect, it } from 'vitest'
import { codeOf, explain, explaining, failure, printName, printPath } from './explain.ts'

function failing(error: unknown): Promise<void> {
  return explaining('a\nb.txt', () => Promise.reject(error))
}

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: failed, open '/srv/private/a.txt'`), { code })
}

describe('explaining', () => {
  it.each([
    ['ENOENT', 'a\\nb.txt was not found'],
    ['EACCES', 'Permission denied for a\\nb.txt'],
    ['EPERM', 'Permission denied for a\\nb.txt'],
    ['ELOOP', 'a\\nb.txt leads through too many symbolic links'],
    ['ENAMETOOLONG', 'The name a\\nb.txt is too long'],
    ['ENOTDIR', 'Part of a\\nb.txt is not a directory'],
    ['EISDIR', 'a\\nb.txt is a directory, not a file'],
    ['ENOSPC', 'There is no space left to write a\\nb.txt'],
    ['EIO', 'a\\nb.txt could not be used (EIO)'],
    ['toString', 'a\\nb.txt could not be used (toString)'],
  ])('puts %s into one sentence without a path of the server', async (code, sentence) => {
    await expect(failing(systemError(code))).rejects.toThrow(new Error(sentence))
  })

  it('keeps nothing of the original error', async () => {
    const error: unknown = await failing(systemError('ENOENT')).catch((thrown: unknown) => thrown)
    expect(error).not.toHaveProperty('cause')
  })

  it('lets an error that is not of the file system pass as it is', async () => {
    const mistake = new TypeError('a mistake of ours')
    await expect(failing(mistake)).rejects.toBe(mistake)
  })

  it('does not begin with what is longer than a path can be', async () => {
    let begun = 0
    const explain = (length: number) => explaining('x'.repeat(length), async () => ++begun)
    await expect(explain(32_769)).rejects.toThrow(/^The name x+… is too long$/)
    expect(begun).toBe(0)
    expect(await explain(32_768)).toBe(1)
  })

  it('puts our own refusals into words', async () => {
    await expect(failing(failure('OUTSIDE'))).rejects.toThrow('a\\nb.txt is outside the root')
  })
})

describe('printing names', () => {
  it('leaves ordinary names alone, backslashes and quotes included', () => {
    expect(printName('a\\b "c" ü 雪.txt')).toBe('a\\b "c" ü 雪.txt')
  })

  it.each([
    ['a\nb', 'a\\nb'],
    ['a\r\t\\b', 'a\\r\\t\\\\b'],
    ['\u001b[31m', '\\u001b[31m'],
    ['a\u007f\u0085\u2028b', 'a\\u007f\\u0085\\u2028b'],
  ])('escapes %j', (name, printed) => {
    expect(printName(name)).toBe(printed)
  })

  it('shows the empty path as the root', () => {
    expect(printPath('')).toBe('.')
  })
})

it('a path that is longer than any file has is cut in messages', () => {
  expect(explain('ENOENT', `${'x'.repeat(4096)}y`)).toContain(`${'x'.repeat(4096)}…`)
  expect(explain('ENOENT', 'x'.repeat(4096))).not.toContain('…')
})

it.each([null, undefined, 'ENOENT', { code: 'ENOENT' }, new Error('ENOENT')])(
  'finds no code in %j',
  (thrown) => {
    expect(codeOf(thrown)).toBeUndefined()
  },
)
