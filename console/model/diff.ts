import { membersOf } from './json.ts'
import { cut } from './text.ts'

export interface Cell {
  /** Undefined where the value has no such place. */
  readonly text: string | undefined
  /** Whether it differs from the reference. */
  readonly differs: boolean
}

export interface DiffRow {
  readonly path: string
  readonly cells: readonly Cell[]
  readonly differs: boolean
}

const [MOST_LEAVES, MOST_DEPTH] = [10_000, 12]

/** The leaves of several values side by side: a row is a place, and is marked where not all have the same there. */
export function compare(values: readonly unknown[], reference = values.length - 1): readonly DiffRow[] {
  const leaves = values.map((value) => leavesOf(value))
  return mergedPaths(leaves).map((path) => {
    const wanted = leaves[reference]?.get(path)
    const cells = leaves.map((one, index) => ({
      text: one.get(path),
      differs: values[index] !== undefined && one.get(path) !== wanted,
    }))
    return { path, cells, differs: cells.some((cell) => cell.differs) }
  })
}

/** How much of a text is shown, and how much of that comes before the first difference. */
const [LONGEST, BEFORE] = [160, 40]

/** What of a row's texts is shown: long ones from shortly before the place where they begin to differ. */
export function excerpts(cells: readonly Cell[]): readonly (string | undefined)[] {
  const texts = cells.flatMap(({ text }) => text ?? [])
  const [first = ''] = texts
  const others = texts.filter((one) => one !== first)
  const alike = others.length === 0 ? 0 : Math.min(...others.map((one) => commonLength(first, one)))
  return cells.map(({ text }) => text && excerpt(text, alike - BEFORE))
}

function excerpt(text: string, wanted: number): string {
  if (text.length <= LONGEST) return text
  const from = cut(text, Math.max(0, Math.min(wanted, text.length - LONGEST + 1))).length
  const shown = cut(text.slice(from), LONGEST)
  return `${from > 0 ? '…' : ''}${shown}${from + shown.length < text.length ? '…' : ''}`
}

function commonLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

/** All paths, each where the first value that has it has it. */
function mergedPaths(leaves: readonly ReadonlyMap<string, string>[]): readonly string[] {
  const paths: string[] = []
  const known = new Set<string>()
  for (const one of [...leaves].reverse()) {
    let at = 0
    for (const path of one.keys()) {
      // Nearly always it is the next.
      if (known.has(path)) at = paths.indexOf(path, at) + 1 || paths.indexOf(path) + 1
      else {
        paths.splice(at++, 0, path)
        known.add(path)
      }
    }
  }
  return paths
}

function leavesOf(value: unknown): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>()
  if (value !== undefined) gather(value, [], leaves)
  return leaves
}

function gather(value: unknown, path: readonly string[], leaves: Map<string, string>): void {
  if (leaves.size >= MOST_LEAVES) return
  const members = path.length < MOST_DEPTH ? membersOf(value) : []
  for (const [name, member] of members) gather(member, [...path, name], leaves)
  if (members.length === 0) leaves.set(printPath(path), JSON.stringify(value) ?? 'undefined')
}

function printPath(path: readonly string[]): string {
  const printed = path.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('')
  return printed.replace(/^\./, '')
}
