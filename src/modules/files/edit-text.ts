import { cut } from '../../kernel/index.ts'
import { ownTurn } from '../../process/own-turn.ts'
import { findFirst, placesOf, splitBy } from './find-text.ts'

export interface Edit {
  readonly oldText: string
  readonly newText: string
  readonly all?: boolean | undefined
}

/** What a text may become, twice what can be edited again: `all` can make a small one grow without end. */
export const MOST_LETTERS = 2 * 1024 * 1024

/** How many pieces may be replaced in all: each takes its time, and a hundred edits can replace every letter a hundred times. */
const MOST_PIECES = 4 * 1024 * 1024

interface Edited {
  readonly text: string
  /** How many pieces were replaced. */
  readonly replaced: number
}

/** So much of a text is looked through at once; a longer part needs as much as it has. */
const LETTERS_A_TURN = 256 * 1024

/**
 * All of the edits, each on what the one before has made; throws an Error that says which does not fit, and why.
 * `checkWanted` throws between two of them where nobody waits any more.
 * Pieces that overlap are one where all are replaced, and several where one is meant.
 */
export async function editText(
  before: string,
  edits: readonly Edit[],
  checkWanted = () => {},
): Promise<Edited> {
  let text = before
  let replaced = 0
  for (const [index, edit] of edits.entries()) {
    const { oldText, all = false } = edit
    if (index > 0) await ownTurn() // Whoever else calls has their turn.
    checkWanted()
    const done = await (all ? replaceAll(text, edit) : replaceOne(text, edit))
    const which = `edits[${index}].oldText: ${JSON.stringify(cut(oldText))}`
    if (done === 'too large')
      throw new Error(
        `${which}: the file would become longer than ${MOST_LETTERS} characters, which is the limit. Nothing was changed`,
      )
    if (done.replaced === 0)
      throw new Error(
        `${which} does not stand in the file${await hintFor(text, oldText)}. Nothing was changed`,
      )
    if (done.replaced > 1 && !all)
      throw new Error(
        `${which} stands ${done.replaced} times: give more of what is around it, or all. Nothing was changed`,
      )
    text = done.text
    replaced += done.replaced
    if (replaced > MOST_PIECES)
      throw new Error(
        `${which}: with it more than ${MOST_PIECES} pieces would be replaced, which is the limit. Nothing was changed`,
      )
  }
  return { text, replaced }
}

/** The text stays as it is unless the piece stands in it once. */
async function replaceOne(text: string, edit: Edit): Promise<Edited | 'too large'> {
  const { oldText, newText } = edit
  let [first, replaced] = [0, 0]
  for await (const { from, window } of windowsOf(text, oldText)) {
    const places = placesOf(window, oldText, 'overlapping')
    if (replaced === 0) first = from + (places[0] ?? 0)
    replaced += places.length
  }
  if (replaced !== 1) return { text, replaced }
  if (isTooLarge(text, edit, 1)) return 'too large'
  return { text: [text.slice(0, first), text.slice(first + oldText.length)].join(newText), replaced }
}

async function replaceAll(text: string, edit: Edit): Promise<Edited | 'too large'> {
  const { oldText, newText } = edit
  const done: string[] = []
  let [kept, replaced] = [0, 0]
  for await (const { from, window, width } of windowsOf(text, oldText)) {
    // Where the last piece of a window goes beyond its width, the next window has less to look through.
    const pieces = splitBy(window.slice(kept - from), oldText)
    const rest = pieces.pop() ?? ''
    const end = from + window.length - rest.length
    const next = Math.min(text.length, Math.max(end, from + width))
    replaced += pieces.length
    if (isTooLarge(text, edit, replaced)) return 'too large'
    pieces.push(rest.slice(0, next - end))
    done.push(pieces.join(newText))
    kept = next
  }
  return { text: done.join(''), replaced }
}

function isTooLarge(text: string, { oldText, newText }: Edit, count: number): boolean {
  return text.length + count * (newText.length - oldText.length) > MOST_LETTERS
}

interface TextWindow {
  readonly from: number
  /** A part begins in these letters; what follows them in the window is as much as it needs to end. */
  readonly width: number
  readonly window: string
}

/** A text piece by piece, so that a part of it is whole in one of them; in between, whoever else calls has their turn. */
async function* windowsOf(text: string, part: string): AsyncGenerator<TextWindow> {
  const width = Math.max(LETTERS_A_TURN, part.length)
  for (let from = 0; from < text.length; from += width) {
    if (from > 0) await ownTurn()
    yield { from, width, window: text.slice(from, from + width + part.length - 1) }
  }
}

/** Line ends and the space before a line are what is most often wrong. */
async function hintFor(text: string, part: string): Promise<string> {
  if (part.includes('\n') && !part.includes('\r') && (await stands(text, part.replaceAll('\n', '\r\n'))))
    return ', but it does with line ends \\r\\n'
  const bare = part.trim()
  return bare !== '' && bare !== part && (await stands(text, bare))
    ? ', but it does with other space around it'
    : ''
}

async function stands(text: string, part: string): Promise<boolean> {
  const find = findFirst(part)
  for await (const { window } of windowsOf(text, part)) if (find(window) >= 0) return true
  return false
}
