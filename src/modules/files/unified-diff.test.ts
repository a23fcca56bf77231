import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines } from '../../contract/line-diff.ts'
import { editText } from './edit-text.ts'
import { unifiedDiff } from './unified-diff.ts'

const AROUND = 3
const MOST_SHOWN = 100_000
const UNENDED = '\0 unended'

/** The same in the plainest way: all lines of both texts are compared, and those that are shown picked out. */
function plainDiff(before: string, after: string): string {
  if (before === after) return ''
  const lines = signedLines(before, after)
  const isChanged = (at: number) => lines[at] !== undefined && lines[at][0] !== ' '
  const near = (at: number) => Array.from({ length: 2 * AROUND + 1 }, (_, step) => at + step - AROUND)
  const shown = lines.map((_, at) => near(at).some(isChanged))
  const printed = lines.map((line, at) => {
    const header = shown[at] && !shown[at - 1] ? `${printHeader(lines, at, shown.indexOf(false, at))}\n` : ''
    return header + line.replace(UNENDED, '\n\\ No newline at end of file')
  })
  return ['--- a/f', '+++ b/f', ...printed.filter((_, at) => shown[at])].join('\n')
}

function signedLines(before: string, after: string): readonly string[] {
  const marked = (text: string) => (text.endsWith('\n') ? text.slice(0, -1) : text + UNENDED)
  if (before === '') return diffLines('\0', marked(after)).filter((line) => line !== '-\0')
  if (after === '') return diffLines(marked(before), '\0').filter((line) => line !== '+\0')
  return diffLines(marked(before), marked(after))
}

function printHeader(lines: readonly string[], start: number, end: number): string {
  const range = (other: string) => {
    const count = (part: readonly string[]) => part.filter((line) => line[0] !== other).length
    const first = count(lines.slice(0, start))
    const length = count(lines.slice(start, end < 0 ? undefined : end))
    return length === 1 ? `${first + 1}` : `${length === 0 ? first : first + 1},${length}`
  }
  return `@@ -${range('+')} +${range('-')} @@`
}

/** A diff that is too long ends with a whole line, and what is left out is counted. */
function shorten(diff: string): string {
  if (diff.length <= MOST_SHOWN) return diff
  const shown = diff.slice(0, diff.lastIndexOf('\n', MOST_SHOWN))
  return `${shown}\n… and ${diff.length - shown.length} more characters of changes`
}

const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a', ' d\r\n', '月\n'), { maxLength: 60 })
const texts = lines.map((some) => some.join(''))

describe('a unified diff is what a plain comparison of all lines finds', () => {
  it('for any two texts', async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, async (before, after) => {
        expect(await unifiedDiff('f', before, after)).toBe(plainDiff(before, after))
      }),
      { numRuns: 500 },
    )
  })

  it('for a text and its edits', async () => {
    const edit = fc.record({ at: fc.nat(), length: fc.integer({ min: 1, max: 6 }), newText: texts })
    await fc.assert(
      fc.asyncProperty(texts, fc.array(edit, { maxLength: 3 }), async (before, places) => {
        let after = before
        for (const { at, length, newText } of places) {
          const oldText = after.slice(at % (after.length || 1)).slice(0, length)
          const edits = [{ oldText, newText: newText.slice(0, 9), all: true }]
          if (oldText !== '') after = (await editText(after, edits)).text
        }
        expect(await unifiedDiff('f', before, after)).toBe(plainDiff(before, after))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['every line, too many to be compared', 'ab\n'.repeat(60_000), 'a', 'c\n'],
    ['no line end is left', 'ab\n'.repeat(60_000), '\n', ''],
    ['one line becomes many', 'a\nb\nc', 'b', 'x\n'.repeat(120_000)],
    ['lines are added, and none is gone', 'a\nb\nc\n', 'b\n', 'b\n\n'.repeat(90_000)],
    ['one line is longer than what is shown', `a\n${'b'.repeat(200_000)}\nc`, 'c', 'd'],
    ['a line without an end is longer than what is shown', 'a\nb', 'b', 'c'.repeat(200_000)],
  ])('and shortened where it is long: %s', async (_which, before, oldText, newText) => {
    const after = before.replaceAll(oldText, newText)
    const diff = await unifiedDiff('f', before, after)
    expect(diff === shorten(longDiff(before, after))).toBe(true)
  })

  it.each(Array.from({ length: 9 }, (_, more) => more))(
    'as long as may be shown, and %i more',
    async (more) => {
      const after = `a\n${'x\n'.repeat(20_000)}${'y'.repeat(39_956 + more)}`
      const diff = await unifiedDiff('f', 'a\n', after)
      expect(diff === shorten(longDiff('a\n', after))).toBe(true)
    },
  )
})

/** Of texts whose lines are all shown, without a look around each. */
function longDiff(before: string, after: string): string {
  const all = signedLines(before, after)
  const shown = all.map((line) => line.replace(UNENDED, '\n\\ No newline at end of file'))
  return ['--- a/f', '+++ b/f', printHeader(all, 0, -1), ...shown].join('\n')
}
