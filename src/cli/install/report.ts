import { maskText } from '../../console/mask.ts'
import { diffLines } from '../../contract/line-diff.ts'

/** Lines around a change that show where it is. */
const AROUND = 2

/** The lines that differ, and those around them, which may be about other servers: their secrets are not shown. */
export function printDiff(before: string, after: string): string {
  const lines = diffOf(withoutEnd(before), withoutEnd(after)).map((line) => line.replace(/\r$/, ''))
  const near = lines.map((_line, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((one) => !one.startsWith(' ')),
  )
  const shown = lines.flatMap((line, at) => {
    if (near[at] === true) return [line]
    return near[at - 1] === true && near.indexOf(true, at) > 0 ? ['…'] : []
  })
  return shown.map((line) => `  ${line.startsWith('+') ? line : maskText(line)}`).join('\n')
}

/** A text with nothing in it has no lines. */
function diffOf(before: string, after: string): readonly string[] {
  if (before === '') return after.split('\n').map((line) => `+${line}`)
  return after === '' ? before.split('\n').map((line) => `-${line}`) : diffLines(before, after)
}

function withoutEnd(text: string): string {
  return text.replace(/\r?\n$/, '')
}
