import { isObject, type JsonObject } from '../../kernel/index.ts'
import { canonical } from '../canonical.ts'
import { type CallerChange, type Finding, VERDICTS } from './change.ts'
import { compareTools } from './compare-tools.ts'
import { type Lock, type LockedOffer, SECTIONS, type Section } from './lock.ts'

type CompareOffers = (before: JsonObject, after: JsonObject) => readonly Finding[]

const KINDS: {
  readonly [section in Section]: { readonly kind: CallerChange['kind']; readonly compare: CompareOffers }
} = {
  tools: { kind: 'tool', compare: compareTools },
  prompts: { kind: 'prompt', compare: comparePrompts },
  resources: { kind: 'resource', compare: compareContents },
  templates: { kind: 'template', compare: compareContents },
}

/** What has changed between two locks, the worst first. */
export function compareLocks(before: Lock, after: Lock): readonly CallerChange[] {
  const changes = SECTIONS.flatMap((section) => compareSections(section, before[section], after[section]))
  return changes.toSorted((one, other) => VERDICTS.indexOf(one.verdict) - VERDICTS.indexOf(other.verdict))
}

function compareSections(
  section: Section,
  before: Lock[Section],
  after: Lock[Section],
): readonly CallerChange[] {
  const { kind, compare } = KINDS[section]
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  const come = Object.keys(after).filter((name) => !Object.hasOwn(before, name))
  const kept = Object.keys(before).filter(
    (name) => before[name]?.hash !== after[name]?.hash && Object.hasOwn(after, name),
  )
  return [
    ...gone.map(
      (name): CallerChange => ({
        kind,
        name,
        verdict: 'breaking',
        words: leave(
          before[name],
          come.map((one) => [one, after[one]]),
        ),
      }),
    ),
    ...come.map((name): CallerChange => ({ kind, name, verdict: 'compatible', words: 'it is new' })),
    ...kept.flatMap((name) =>
      compare(before[name]?.contract ?? {}, after[name]?.contract ?? {}).map((found) => ({
        kind,
        name,
        ...found,
      })),
    ),
  ]
}

/** The same promise under another name was renamed. */
function leave(
  offer: LockedOffer | undefined,
  come: readonly (readonly [string, LockedOffer | undefined])[],
): string {
  const nameless = (one: LockedOffer | undefined) => {
    const { name, uri, uriTemplate, ...rest } = one?.contract ?? {}
    return canonical(rest)
  }
  const [renamed] = come.find(([, one]) => nameless(one) === nameless(offer)) ?? []
  return renamed === undefined ? 'it is gone' : `it is called ${renamed} now`
}

function comparePrompts(before: JsonObject, after: JsonObject): readonly Finding[] {
  const [old, now] = [argumentsOf(before), argumentsOf(after)]
  const found: Finding[] = []
  for (const name of old.keys())
    if (!now.has(name)) found.push({ verdict: 'breaking', words: `${name} is gone` })
  for (const [name, isNeeded] of now) {
    const was = old.get(name)
    if (isNeeded && was !== true) found.push({ verdict: 'breaking', words: `${name} became required` })
    else if (was === undefined) found.push({ verdict: 'compatible', words: `${name} is new, and optional` })
    else if (was && !isNeeded) found.push({ verdict: 'compatible', words: `${name} is optional now` })
  }
  return found.length > 0 ? found : [{ verdict: 'wording', words: 'its words changed' }]
}

function argumentsOf({ arguments: list }: JsonObject): ReadonlyMap<string, boolean> {
  const all = Array.isArray(list) ? list.filter(isObject) : []
  return new Map(all.map((one) => [String(one['name']), one['required'] === true]))
}

function compareContents(before: JsonObject, after: JsonObject): readonly Finding[] {
  const [was, is] = [before['mimeType'], after['mimeType']]
  if (was === is) return [{ verdict: 'wording', words: 'its words changed' }]
  if (was === undefined) return [{ verdict: 'compatible', words: `it is said to be ${String(is)} now` }]
  return [
    {
      verdict: 'breaking',
      words:
        is === undefined
          ? `it is no longer said to be ${String(was)}`
          : `${String(was)} became ${String(is)}`,
    },
  ]
}
