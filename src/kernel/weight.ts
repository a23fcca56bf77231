/** What a text costs in memory: with a letter beyond Latin-1 in it, two bytes for each of its letters. */
export function weighText(text: string): number {
  return WIDE.test(text) ? 2 * text.length : text.length
}

const WIDE = /[\u0100-\uffff]/
