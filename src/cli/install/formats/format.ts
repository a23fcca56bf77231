import type { JsonObject } from '../../../kernel/index.ts'

/** How a host writes its settings. A text is changed where it has to be, and nowhere else. */
export interface SettingsFormat {
  /** What it says; throws an UnreadableText where no host could read it. */
  parse(text: string): JsonObject
  /** The text with an entry, in the place of the one that is there if one is. */
  put(text: string, path: EntryPath, value: JsonObject): string
  /** The text without an entry that it has. */
  drop(text: string, path: EntryPath): string
}

/** The names that lead to an entry; the last is its own. */
export type EntryPath = readonly string[]

/** What is wrong with a text, and in which line. */
export class UnreadableText extends Error {
  readonly line: number
  /** The line as it stands. */
  readonly shown: string

  constructor(reason: string, text: string, at: number) {
    super(reason)
    const before = text.slice(0, at).split('\n')
    this.line = before.length
    this.shown = (text.split('\n')[this.line - 1] ?? '').replace(/\r$/, '')
  }
}

/** How its lines end. */
export function eolOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}

/** What a step to the right is, as far as its lines show. */
export function stepOf(text: string): string {
  const [, step] = /^([ \t]+)\S/m.exec(text) ?? []
  if (step === undefined) return '  '
  return step.startsWith('\t') ? '\t' : step
}

/** Where the line begins that has this place. */
export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** Where that line ends, before its line end. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  if (end < 0) return text.length
  return text[end - 1] === '\r' && end > at ? end - 1 : end
}

/** The white space that the line of this place begins with. */
export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? ''
}

/** The text without what stands between two places, and with something else there. */
export function splice(text: string, [from, to]: readonly [number, number], instead: string): string {
  return text.slice(0, from) + instead + text.slice(to)
}
