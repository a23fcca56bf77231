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
