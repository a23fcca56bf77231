import type { Problem } from '../kernel/index.ts'

/** More than this would not help anybody to mend a call. */
const MOST = 8

/** What is wrong with a value, as far as it is worth saying. */
export class Problems {
  readonly list: Problem[] = []

  get full(): boolean {
    return this.list.length >= MOST
  }

  add(path: string, message: string): void {
    if (!this.full) this.list.push({ path: shorten(path), message })
  }
}

/** The path of a member as one would write it in code: `items[0].name`. */
export function join(path: string, part: string | number): string {
  if (typeof part === 'number' || /^\d+$/.test(part)) return `${path}[${part}]`
  return path === '' ? part : `${path}.${part}`
}

/** What may have any length, as far as it is worth showing. */
export function shorten(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}\u2026` : text
}

const SHOWN_LENGTH = 200

/** How many names or values one message lists. */
export const SHOWN = 24

/** Names or values one after the other, as many as are worth showing. */
export function listing<Part>(
  parts: readonly Part[],
  print: (part: Part) => string,
  separator = ', ',
): string {
  const shown = parts
    .slice(0, SHOWN)
    .map((part) => shorten(print(part)))
    .join(separator)
  return parts.length > SHOWN ? `${shown}${separator}\u2026` : shown
}
