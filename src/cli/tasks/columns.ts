/** Letters that take two columns of a terminal, and those that take none. */
const WIDE =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60]/u
const NARROWEST = /[\p{M}\p{Cf}]/u

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  return Array.from(text, widthOfLetter).reduce((sum, width) => sum + width, 0)
}

/** As much of a line as goes into so many columns. */
export function cutToWidth(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line
  let shown = ''
  let left = columns - 1 // The dots take one.
  for (const letter of line) {
    left -= widthOfLetter(letter)
    if (left < 0) break
    shown += letter
  }
  return `${shown}…`
}

function widthOfLetter(letter: string): number {
  if (NARROWEST.test(letter)) return 0
  return WIDE.test(letter) ? 2 : 1
}
