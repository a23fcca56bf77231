import { once } from '../../../kernel/index.ts'
import { effort, spend } from '../effort.ts'
import { compileMatcher } from './matcher.ts'
import { type Branch, hasKnownGroups, parsePattern, type Term } from './parse.ts'
import { unitOf } from './unit.ts'

/** What the native matches of one check may take at worst; anything that might take longer is matched step by step. */
const MOST_TRIES = 2_000_000

/** So many for each character are no more than what is counted for any text. */
const FEW_TRIES = 64

/**
 * A regular expression as JSON Schema has them: not anchored, and by whole characters.
 * V8 gives it back at once where that cannot take long. Some expressions, `^(a+)+$` is one, would hold the loop for
 * minutes on a text of forty letters: those are matched here, and the steps of it count like any of a check.
 */
export function compilePattern(source: string): ((text: string) => boolean) | undefined {
  const expression = read(source)
  if (expression === undefined) return undefined
  let plan: MatchPlan | undefined
  return (text) => {
    plan ??= planFor(expression)
    const { ways, degree, reach } = plan.tries
    const tries = ways * Math.max(reach, 1) * (text.length + 1) ** degree
    if (effort.tries + tries > MOST_TRIES) return plan.matches()(text)
    if (tries > FEW_TRIES * (text.length + 1)) effort.tries += tries
    spend(12 + (text.length >> 3) + (tries >> 8))
    return plan.isTooLarge ? plan.matches()(text) : tryExpression(expression, text, plan)
  }
}

/** V8 finds out that an expression is too large for it when it is first used. */
function tryExpression(expression: RegExp, text: string, plan: MatchPlan): boolean {
  try {
    return expression.test(text)
  } catch {
    plan.isTooLarge = true
    return plan.matches()(text)
  }
}

/** What is found out about an expression when it is first needed. */
interface MatchPlan {
  readonly tries: Tries
  isTooLarge: boolean
  readonly matches: () => (text: string) => boolean
}

function planFor({ source }: RegExp): MatchPlan {
  spend(1000 + readingCost(source))
  const tree = parsePattern(source)
  return { tries: triesOf(tree), matches: once(() => compileMatcher(tree)), isTooLarge: false }
}

/** Many patterns escape what needs no escape, which a strict reader refuses. */
function read(source: string): RegExp | undefined {
  for (const text of [source, relax(source)]) {
    try {
      const expression = new RegExp(text, 'u')
      return hasKnownGroups(text) ? expression : undefined
    } catch {}
  }
  return undefined
}

/** What V8 takes to read an expression, in steps: each `\p{L}` in it brings hundreds of ranges. */
export function readingCost(source: string): number {
  return source.length * 8 + 4000 * countProperties(source)
}

/** How many sets of Unicode's are named in an expression. */
export function countProperties(source: string): number {
  return source.split(/\\[pP]/).length - 1
}

/** `\_` is `_`; but `\-` stays as it is where it would make a range. */
function relax(source: string): string {
  let isInClass = false
  return source.replace(/\\(.)|[[\]]/gsu, (token, escaped: string | undefined) => {
    if (token === '[') isInClass = true
    if (token === ']') isInClass = false
    if (escaped === undefined) return token
    const isNeeded = /[\^$\\.*+?()[\]{}|/\p{L}\d]/u.test(escaped) || (isInClass && escaped === '-')
    return isNeeded ? token : escaped
  })
}

/** At most `ways` × length to the power of `degree`, each of which looks at no more than `reach` characters. */
interface Tries {
  readonly ways: number
  readonly degree: number
  readonly reach: number
}

const ONE: Tries = { ways: 1, degree: 0, reach: 1 }
const PLACE: Tries = { ways: 1, degree: 0, reach: 0 }
const ENDLESS: Tries = { ways: Number.POSITIVE_INFINITY, degree: 0, reach: 1 }

/** How many ways there can be to hold a text against an expression, at worst. */
function triesOf(branches: readonly Branch[]): Tries {
  const isAnchored = branches.every(([first]) => first?.kind === 'start')
  const tries = triesOfBranches(branches)
  return { ...tries, degree: tries.degree + (isAnchored ? 0 : 1) }
}

function triesOfBranches(branches: readonly Branch[]): Tries {
  const tries = branches.map((branch) => branch.map(triesOfTerm).reduce(times, PLACE))
  return {
    ways: tries.reduce((sum, { ways }) => sum + ways, 0),
    degree: Math.max(...tries.map(({ degree }) => degree)),
    reach: Math.max(...tries.map(({ reach }) => reach)),
  }
}

function triesOfTerm(term: Term): Tries {
  if (term.kind === 'group' || term.kind === 'look') return triesOfBranches(term.branches)
  if (term.kind === 'back') return ENDLESS
  if (term.kind === 'atom') return ONE
  if (term.kind !== 'repeat') return PLACE // It looks for a place, and takes nothing.
  const { of, min, max } = term
  if (unitOf(of) === undefined || hasChoice(of))
    return max > 1 ? ENDLESS : times(triesOfTerm(of), { ...ONE, ways: 2 })
  const { reach } = triesOfTerm(of)
  if (max === Number.POSITIVE_INFINITY) return { ways: 1, degree: 1, reach }
  return { ways: max - min + 1, degree: 0, reach: max * reach }
}

/** Whether V8 would try one after the other, each time it comes by: `(a|a)` has two ways to take one letter. */
function hasChoice(term: Term): boolean {
  if (term.kind === 'repeat') return hasChoice(term.of)
  return term.kind === 'group' && (term.branches.length > 1 || term.branches.flat().some(hasChoice))
}

function times(a: Tries, b: Tries): Tries {
  return { ways: a.ways * b.ways, degree: a.degree + b.degree, reach: a.reach + b.reach }
}
