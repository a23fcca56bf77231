import { cut } from '../../kernel/index.ts'
import { placesOf } from './find-text.ts'

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

/**
 * All of the edits, each on what the one before has made; throws an Error that says which does not fit, and why.
 * Pieces that overlap are one where all are replaced, and several where one is meant.
 */
export async function editText(before: string, edits: readonly Edit[]): Promise<Edited> {
  let text = before
  let replaced = 0
  for (const [index, { oldText, newText, all = false }] of edits.entries()) {
    if (index > 0) await new Promise(setImmediate) // Whoever else calls has their turn.
    const places = placesOf(text, oldText, all ? 'apart' : 'overlapping')
    const count = places.length
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
    text = replaceAt(text, places, { oldText, newText })
    replaced += count
  }
  return { text, replaced }
}

function replaceAt(text: string, places: readonly number[], { oldText, newText }: Edit): string {
  const kept = places.map((at, index) =>
    text.slice(index === 0 ? 0 : (places[index - 1] ?? 0) + oldText.length, at),
  )
  return [...kept, text.slice((places.at(-1) ?? 0) + oldText.length)].join(newText)
}

/** Line ends and the space before a line are what is most often wrong. */
function hintFor(text: string, part: string): string {
  if (part.includes('\n') && !part.includes('\r') && stands(text, part.replaceAll('\n', '\r\n')))
    return ', but it does with line ends \\r\\n'
  const bare = part.trim()
  return bare !== '' && bare !== part && stands(text, bare) ? ', but it does with other space around it' : ''
}

function stands(text: string, part: string): boolean {
  return placesOf(text, part, 'apart').length > 0
}
