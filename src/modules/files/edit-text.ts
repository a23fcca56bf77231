import { cut } from '../../kernel/index.ts'

export interface Edit {
  readonly oldText: string
  readonly newText: string
  readonly all?: boolean | undefined
}

/** What a text may become: `all` can make a small one grow without end. */
const MOST_LETTERS = 16 * 1024 * 1024

interface Edited {
  readonly text: string
  /** How many pieces were replaced. */
  readonly replaced: number
}

/** All of the edits, each on what the one before has made; throws an Error that says which does not fit, and why. */
export function editText(before: string, edits: readonly Edit[]): Edited {
  let text = before
  let replaced = 0
  for (const [index, { oldText, newText, all = false }] of edits.entries()) {
    const count = countOf(text, oldText, all)
    const which = `edits[${index}].oldText: ${JSON.stringify(cut(oldText))}`
    if (count === 0)
      throw new Error(`${which} does not stand in the file${hintFor(text, oldText)}. Nothing was changed`)
    if (count > 1 && !all)
      throw new Error(
        `${which} stands ${count} times: give more of what is around it, or all. Nothing was changed`,
      )
    if (text.length + count * (newText.length - oldText.length) > MOST_LETTERS)
      throw new Error(
        `${which}: the file would be larger than ${MOST_LETTERS} characters. Nothing was changed`,
      )
    text = text.split(oldText).join(newText)
    replaced += count
  }
  return { text, replaced }
}

/** Pieces that overlap are one where all are replaced, and several where one is meant. */
function countOf(text: string, part: string, all: boolean): number {
  const step = all ? part.length : 1
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + step)) count++
  return count
}

/** Line ends and the space before a line are what is most often wrong. */
function hintFor(text: string, part: string): string {
  if (part.includes('\n') && !part.includes('\r') && text.includes(part.replaceAll('\n', '\r\n')))
    return ', but it does with line ends \\r\\n'
  const bare = part.trim()
  return bare !== '' && bare !== part && text.includes(bare) ? ', but it does with other space around it' : ''
}
