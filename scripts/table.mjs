import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Prints rows of text in columns as wide as they need to be. */
export function printTable(head, rows) {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => String(row[column]).length)),
  )
  for (const row of [head, ...rows]) {
    console.log(
      row
        .map((cell, column) => String(cell).padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
  }
}

/** Writes rows into a Markdown file, between the two marks that have this name, below how they were come by. */
export function writeTable({ file, name, how, head, rows }) {
  const marks = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const text = readFileSync(file, 'utf8')
  const [from, to] = marks.map((mark) => text.indexOf(mark))
  if (from < 0 || to < from) throw new Error(`${file} has no ${marks.join(' and ')}`)
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(printCell).join(' | ')} |`)
  const day = new Date().toISOString().slice(0, 10)
  const origin = `${how}, ${day}, Node ${process.versions.node}, ${cpus().length} cores:`
  writeFileSync(
    file,
    `${text.slice(0, from)}${marks[0]}\n\n${origin}\n\n${lines.join('\n')}\n\n${text.slice(to)}`,
  )
}

function printCell(cell) {
  return String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')
}
