/** What a terminal would take for an order, or show in another order than it stands in. */
const ORDERS = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu

/** A server's words as they may be shown on a terminal. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(ORDERS, (unit) => {
    if (unit === '\n' || unit === '\t') return unit
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** The same in one line, and not for ever. */
export function oneLine(text: string, most = 500): string {
  const line = printable(text.trim()).replaceAll(/\s+/g, ' ')
  return line.length > most ? `${line.slice(0, most)}…` : line
}
