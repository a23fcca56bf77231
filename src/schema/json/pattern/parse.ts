/** A regular expression in the strict form (`u`) that V8 has read already: nothing in it can be wrong. */
export type Term =
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'boundary'; readonly negated: boolean }
  /** One character: itself, an escape, a class, or any. */
  | { readonly kind: 'atom'; readonly source: string }
  | { readonly kind: 'group'; readonly capture: number | undefined; readonly branches: readonly Branch[] }
  | {
      readonly kind: 'look'
      readonly behind: boolean
      readonly negated: boolean
      readonly branches: readonly Branch[]
    }
  | { readonly kind: 'back'; readonly capture: number }
  | {
      readonly kind: 'repeat'
      readonly of: Term
      readonly min: number
      readonly max: number
      readonly lazy: boolean
      /** The captures inside that matter, which each round forgets. */
      readonly captures: readonly number[]
    }

export type Branch = readonly Term[]

export function parsePattern(source: string): readonly Branch[] {
  return new Parser(source).branches()
}

/** Whether its groups are those of the edition that JSON Schema names: `(?i:a)`, or one name twice, only some engines read. */
export function hasKnownGroups(source: string): boolean {
  if (!source.includes('(?')) return true
  const names = namesOf(source).filter((name) => name !== undefined)
  const tokens = source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\(\?[^:=!<]/gsu)
  return new Set(names).size === names.length && ![...tokens].some(({ 0: token }) => token.startsWith('('))
}

/** The names of captures, in the order of their numbers; those without one have none. */
function namesOf(source: string): readonly (string | undefined)[] {
  const tokens = source.matchAll(
    /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?<(?<name>[^=!>][^>]*)>|(?<plain>(?!\?)))/gsu,
  )
  return [...tokens].filter(({ 0: token }) => token.startsWith('(')).map(({ groups }) => groups?.['name'])
}

const ATOM =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|./suy
const GROUP = /\((?:\?(?:(?<look><?[=!])|:|<(?<name>[^>]+)>))?/uy
const QUANTIFIER = /(?:(?<sign>[*+?])|\{(?<min>\d+)(?<to>,(?<max>\d*))?\})(?<lazy>\?)?/uy
const BACK = /\\(?:(?<number>[1-9]\d*)|k<(?<name>[^>]+)>)/uy

class Parser {
  readonly #source: string
  #at = 0
  #captures = 0
  readonly #names: readonly (string | undefined)[]
  /** What is captured only matters where something refers back to it. */
  readonly #isReferredTo: boolean

  constructor(source: string) {
    this.#source = source
    this.#names = namesOf(source)
    this.#isReferredTo = /\\[1-9k]/.test(source)
  }

  branches(): readonly Branch[] {
    const branches: Branch[] = [this.#branch()]
    while (this.#eat('|')) branches.push(this.#branch())
    return branches
  }

  #branch(): Branch {
    const terms: Term[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? ''))
      terms.push(this.#term())
    return terms
  }

  #term(): Term {
    const before = this.#captures
    const term = this.#single()
    const quantifier = this.#match(QUANTIFIER)
    if (quantifier === undefined) return term
    const length = this.#isReferredTo ? this.#captures - before : 0
    const captures = Array.from({ length }, (_, index) => before + index + 1)
    return { kind: 'repeat', of: term, ...rangeOf(quantifier), captures }
  }

  #single(): Term {
    if (this.#eat('^')) return { kind: 'start' }
    if (this.#eat('$')) return { kind: 'end' }
    if (this.#eat('\\b')) return { kind: 'boundary', negated: false }
    if (this.#eat('\\B')) return { kind: 'boundary', negated: true }
    const back = this.#match(BACK)
    if (back !== undefined) return { kind: 'back', capture: this.#numberOf(back) }
    const group = this.#match(GROUP)
    return group === undefined ? { kind: 'atom', source: this.#atom() } : this.#group(group)
  }

  #group({ look, name }: Groups): Term {
    const isCapture = this.#source[this.#at - 1] === '(' || name !== undefined
    if (isCapture) this.#captures += 1
    const capture = isCapture && this.#isReferredTo ? this.#captures : undefined
    const branches = this.branches()
    this.#eat(')')
    if (look === undefined) return { kind: 'group', capture, branches }
    return { kind: 'look', behind: look.startsWith('<'), negated: look.endsWith('!'), branches }
  }

  #numberOf({ number, name }: Groups): number {
    return number === undefined ? this.#names.indexOf(name) + 1 : Number(number)
  }

  #atom(): string {
    ATOM.lastIndex = this.#at
    const [atom = ''] = ATOM.exec(this.#source) ?? []
    this.#at += atom.length
    return atom
  }

  #eat(token: string): boolean {
    if (!this.#source.startsWith(token, this.#at)) return false
    this.#at += token.length
    return true
  }

  #match(expression: RegExp): Groups | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source)
    if (found === null) return undefined
    this.#at = expression.lastIndex
    return found.groups ?? {}
  }
}

type Groups = { readonly [name: string]: string | undefined }

const SIGNS: { readonly [sign: string]: { readonly min: number; readonly max: number } } = {
  '*': { min: 0, max: Number.POSITIVE_INFINITY },
  '+': { min: 1, max: Number.POSITIVE_INFINITY },
  '?': { min: 0, max: 1 },
}

function rangeOf({ sign, min, to, max, lazy }: Groups) {
  const range = SIGNS[sign ?? ''] ?? {
    min: Number(min),
    max: to === undefined ? Number(min) : max === '' ? Number.POSITIVE_INFINITY : Number(max),
  }
  return { ...range, lazy: lazy !== undefined }
}
