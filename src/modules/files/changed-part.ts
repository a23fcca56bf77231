/** Where two texts differ, in whole lines: from `start` in both, up to an end in each. */
interface ChangedPart {
  readonly start: number
  readonly oldEnd: number
  readonly newEnd: number
}

/** By letters, not by lines: a file may have a million of them, and few have changed. */
export function changedPart(before: string, after: string): ChangedPart {
  const start = before.slice(0, countAtStart(before, after)).lastIndexOf('\n') + 1
  const same = linesAtEnd(before, after, start)
  return { start, oldEnd: before.length - same, newEnd: after.length - same }
}

function countAtStart(before: string, after: string): number {
  const most = Math.min(before.length, after.length)
  let count = 0
  while (count < most && before.charCodeAt(count) === after.charCodeAt(count)) count++
  return count
}

/** How many letters the lines have that both end with, none of them before the start. */
function linesAtEnd(before: string, after: string, start: number): number {
  const most = Math.min(before.length, after.length) - start
  const [old, now] = [before.length - 1, after.length - 1]
  let count = 0
  while (count < most && before.charCodeAt(old - count) === after.charCodeAt(now - count)) count++
  const isWhole = [before, after].every((text) => {
    const at = text.length - count
    return at === start || text[at - 1] === '\n'
  })
  if (isWhole) return count
  const next = before.indexOf('\n', before.length - count) + 1
  return next === 0 ? 0 : before.length - next
}
