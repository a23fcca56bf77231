/** Past this many pairs of lines, what is between the first and the last difference is told as a whole. */
const MOST_PAIRS = 1_000_000

/** Before a line that both texts have, or one of them: the one before, the one after. */
export type LineSign = ' ' | '-' | '+'

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

function between(old: readonly string[], now: readonly string[]): readonly string[] {
  if (isToldWhole(old.length, now.length))
    return [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)]
  let [at, to] = [0, 0]
  return signsBetween(old, now).map((sign) => {
    const line = sign === '+' ? now[to] : old[at]
    if (sign !== '+') at++
    if (sign !== '-') to++
    return `${sign}${line}`
  })
}

/** Whether so many lines are told as gone, and so many as new, without a look for what they have in common. */
export function isToldWhole(old: number, now: number): boolean {
  return old === 0 || now === 0 || old * now > MOST_PAIRS
}

/** How lines, or numbers that stand for them, became others: by the longest run that both have. */
export function signsBetween(old: readonly unknown[], now: readonly unknown[]): readonly LineSign[] {
  const common = countCommon(old, now)
  const width = now.length + 1
  const signs: LineSign[] = []
  let [at, to] = [0, 0]
  while (at < old.length && to < now.length) {
    const isSame = old[at] === now[to]
    const here = at * width + to
    const isGone = !isSame && (common[here + width] ?? 0) >= (common[here + 1] ?? 0)
    signs.push(isSame ? ' ' : isGone ? '-' : '+')
    if (isSame || isGone) at++
    if (!isGone) to++
  }
  for (; at < old.length; at++) signs.push('-')
  for (; to < now.length; to++) signs.push('+')
  return signs
}

/** How many lines are common from here on, for each pair, row by row. */
function countCommon(old: readonly unknown[], now: readonly unknown[]): Uint32Array {
  const width = now.length + 1
  const common = new Uint32Array((old.length + 1) * width)
  for (let at = old.length - 1; at >= 0; at--)
    for (let to = now.length - 1; to >= 0; to--) {
      const here = at * width + to
      common[here] =
        old[at] === now[to]
          ? (common[here + width + 1] ?? 0) + 1
          : Math.max(common[here + width] ?? 0, common[here + 1] ?? 0)
    }
  return common
}
