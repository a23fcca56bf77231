/** Past this many pairs of lines, what is between the first and the last difference is told as a whole. */
const MOST_PAIRS = 1_000_000

/** The lines of two texts: ` ` before those that both have, `-` and `+` before those of one. */
export function diffLines(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++
  return [
    ...old.slice(0, start).map((line) => ` ${line}`),
    ...between(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map((line) => ` ${line}`),
  ]
}

/** By the longest run of lines that both have. */
function between(old: readonly string[], now: readonly string[]): readonly string[] {
  if (old.length * now.length > MOST_PAIRS)
    return [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)]
  const common = countCommon(old, now)
  const lines: string[] = []
  let [at, to] = [0, 0]
  while (at < old.length || to < now.length) {
    if (at < old.length && to < now.length && old[at] === now[to]) {
      lines.push(` ${old[at++]}`)
      to++
    } else if (to >= now.length || (common[at + 1]?.[to] ?? 0) >= (common[at]?.[to + 1] ?? 0))
      lines.push(at < old.length ? `-${old[at++]}` : `+${now[to++]}`)
    else lines.push(`+${now[to++]}`)
  }
  return lines
}

/** How many lines are common from here on, for each pair. */
function countCommon(old: readonly string[], now: readonly string[]): readonly (readonly number[])[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0))
  for (let at = old.length - 1; at >= 0; at--) {
    const [row, next] = [rows[at] ?? [], rows[at + 1] ?? []]
    for (let to = now.length - 1; to >= 0; to--)
      row[to] = old[at] === now[to] ? (next[to + 1] ?? 0) + 1 : Math.max(next[to] ?? 0, row[to + 1] ?? 0)
  }
  return rows
}
