export type Direction = 'ahead' | 'back'

/** The position one character on, or -1 beyond the text. */
export function move(text: string, at: number, way: Direction): number {
  if (way === 'back') return at <= 0 ? -1 : at - ((text.codePointAt(at - 2) ?? 0) > 0xffff ? 2 : 1)
  if (at >= text.length) return -1
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
}
