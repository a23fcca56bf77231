import { printNumber } from './prometheus-text.ts'

interface FamilyText {
  /** What it is, and how it is read. */
  readonly head: string[]
  type: string
  /** Values by name and labels, as they are printed. */
  readonly samples: Map<string, number>
}

type Families = Map<string, FamilyText>

/** What several processes have counted, as if it were one: in Prometheus' text format, as they print it. */
export function addUp(texts: readonly string[]): string {
  const all: Families = new Map()
  for (const text of texts) for (const [name, family] of parseFamilies(text)) add(all, name, family)
  return printFamilies(all)
}

/** What a process has counted that stays true when it has ended: whatever only grows. */
export function onlyGrowing(text: string): string {
  const growing = [...parseFamilies(text)].filter(([, { type }]) => type !== 'gauge')
  return printFamilies(new Map(growing))
}

/** What is not a sum: who is fullest is nearest to its limit, and the first was there since the beginning. */
const COMBINED: { readonly [family: string]: (one: number, other: number) => number } = {
  mcp_server_budget_limit: Math.max,
  mcp_server_budget_used: Math.max,
  process_start_time_seconds: Math.min,
}

const plus = (one: number, other: number) => one + other

function add(all: Families, name: string, { head, type, samples }: FamilyText): void {
  const combine = COMBINED[name] ?? plus
  const sum = all.get(name) ?? { head, type, samples: new Map<string, number>() }
  all.set(name, sum)
  for (const [key, value] of samples) {
    const before = sum.samples.get(key)
    sum.samples.set(key, before === undefined ? value : combine(before, value))
  }
}

function parseFamilies(text: string): Families {
  const families: Families = new Map()
  let family: FamilyText | undefined
  for (const line of text.split('\n')) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (word === 'HELP') family = { head: [], type: '', samples: new Map() }
    if (word === 'HELP' && family !== undefined) families.set(name, family)
    if (word !== undefined) family?.head.push(line)
    if (word === 'TYPE' && family !== undefined) family.type = rest
    const space = line.lastIndexOf(' ')
    if (word === undefined && space !== -1)
      family?.samples.set(line.slice(0, space), Number(line.slice(space + 1)))
  }
  return families
}

function printFamilies(families: Families): string {
  const lines = [...families.values()].flatMap(({ head, samples }) => [
    ...head,
    ...[...samples].map(([key, value]) => `${key} ${printNumber(value)}`),
  ])
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}
