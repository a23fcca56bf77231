/** A table in Markdown that reads as well on a terminal: the first column to the left, numbers to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => (row[column] ?? '').length)),
  )
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => pad(cell, at, widths)).join(' | ')} |`
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n')
}

function pad(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}
