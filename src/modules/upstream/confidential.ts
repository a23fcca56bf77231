import { isObject, type JsonObject } from '../../kernel/index.ts'
import { ownTurn } from '../../process/own-turn.ts'
import { endOfBase64, endOfWord, isLikely, knownTo } from './secret-at.ts'
import { isPlain, type Secret, type SecretForm } from './secret-forms.ts'

const HIDDEN = '[…]'

/** By its first characters it is looked up what may begin at a place; no secret has fewer. */
const LOOKED_AT = 4
const BUCKETS = 4096

/** So far each character moves those before it, that none counts when four have come after it. */
const SHIFT = Math.log2(BUCKETS) / LOOKED_AT

/** How often a text is compared with something, for each of its characters, before somebody must have written it to keep us busy. */
const MOST_COMPARED = 4
const FEW_COMPARED = 64

/** Of what comes after so many it is once for each, for all of that is looked at in one turn. */
const LONG = 64 * 1024

/** How many characters may be compared for each of a text's: secrets within each other are each compared as a whole. */
const MOST_LETTERS = 8
const FEW_LETTERS = 64 * 1024

/** How much is looked at in one turn, in letters and in how often they are compared; a value counts as some of them. */
const PIECE = 256 * 1024
const EACH = 16

/** Looks through something, and stops after each piece of it. */
type SecretWalk<Value> = Generator<void, Value>

/** What is nobody else's business: takes it out of whatever it is shown, in one walk however much it is. */
export class Confidential {
  /** Those that begin alike stand together; the first place is that of nothing. */
  readonly #alike: SecretForm[][] = [[]]
  /** Which of them begin so: none, at most places of a text. */
  readonly #begins = new Uint16Array(BUCKETS)
  readonly #numbers = new Set<number>()
  /** What has been done since a walk has stopped, whichever it was. */
  #worked = 0

  constructor(secrets: Iterable<Secret>) {
    for (const { forms, number } of secrets) {
      if (number !== undefined) this.#numbers.add(number)
      for (const form of forms) this.#add(form)
    }
  }

  #add(form: SecretForm): void {
    const bucket = bucketOf(form.head)
    const others = this.#begins[bucket] || this.#alike.push([]) - 1
    this.#begins[bucket] = others
    this.#alike[others]?.push(form)
  }

  /** Whether a number is one of these. */
  has(number: number): boolean {
    return this.#numbers.has(number)
  }

  /** The same value without them, wherever in it they stand: in names and in numbers, too. */
  hide(value: unknown): unknown {
    const walk = this.#walk(value)
    for (;;) {
      const { done, value: told } = walk.next()
      if (done) return told
    }
  }

  hideIn(text: string): string {
    return this.hide(text) as string // What stands for it is a text as well.
  }

  /** The same with turns for others, where it is much to look through. */
  hideInTurns(value: unknown): unknown {
    return this.#begin(value, inTurns)
  }

  /** The same, and undefined where it is too much to look through in one turn. */
  hideAtOnce(value: unknown): unknown {
    return this.#begin(value, () => undefined)
  }

  #begin(value: unknown, goOn: (walk: SecretWalk<unknown>) => unknown): unknown {
    this.#worked = 0
    const walk = this.#walk(value)
    const { done, value: told } = walk.next()
    return done ? told : goOn(walk)
  }

  *#walk(value: unknown): SecretWalk<unknown> {
    if (this.#alike.length === 1 && this.#numbers.size === 0) return value
    this.#worked += EACH
    if (this.#worked > PIECE) {
      this.#worked = 0
      yield
    }
    if (typeof value === 'string') return yield* this.#walkText(value)
    if (typeof value === 'number') return yield* this.#walkNumber(value)
    if (Array.isArray(value)) return yield* this.#walkItems(value)
    return isObject(value) ? yield* this.#walkMembers(value) : value
  }

  *#walkItems(items: readonly unknown[]): SecretWalk<unknown> {
    const told: unknown[] = []
    for (const one of items) told.push(yield* this.#walk(one))
    return told.some((one, at) => one !== items[at]) ? told : items
  }

  /** To make every object anew takes longer than to look at it. */
  *#walkMembers(value: JsonObject): SecretWalk<JsonObject> {
    let isSame = true
    const members: [name: string, told: unknown][] = []
    for (const name of Object.keys(value)) {
      const [shown, told] = [yield* this.#walkText(name), yield* this.#walk(value[name])]
      isSame &&= shown === name && told === value[name]
      members.push([shown, told])
    }
    return isSame ? value : Object.fromEntries(members)
  }

  *#walkNumber(value: number): SecretWalk<unknown> {
    if (this.has(value)) return HIDDEN
    const text = String(value)
    const told = yield* this.#walkText(text)
    return told === text ? value : told
  }

  /** A text without them, and without the beginnings of them that are long enough to be known. */
  *#walkText(text: string): SecretWalk<string> {
    if (this.#alike.length === 1) return text
    let told = ''
    let shown = 0 // What comes before has been told, or is hidden.
    let left = FEW_COMPARED + (MOST_COMPARED - 1) * Math.min(text.length, LONG) + text.length
    let letters = FEW_LETTERS + MOST_LETTERS * text.length
    let bucket = 0
    let stopped = -left - letters - this.#worked // At what it has stopped, which grows with all that is done.
    for (let last = 0; last < text.length; last++) {
      if (last - left - letters - stopped > PIECE) {
        stopped = last - left - letters
        yield
      }
      bucket = nextBucket(bucket, text.charCodeAt(last))
      const forms = this.#alike[this.#begins[bucket] ?? 0]
      if (forms === undefined || forms.length === 0 || last < LOOKED_AT - 1) continue
      const at = last - LOOKED_AT + 1
      let broken = 0 // How much may come after what was known, where none is there as a whole.
      for (const form of forms) {
        left--
        if (left < 0 || letters < 0 || !isLikely(form, text, at)) continue
        letters -= form.head.length
        const known = knownTo(form, text, at)
        if (known === undefined) continue
        letters -= known.end - at - form.head.length
        const { isWhole } = known
        const end = isWhole ? endOfBase64(text, known.end, form.edges[1]) : known.end
        const begin = Math.max(0, at - form.edges[0])
        if (begin >= shown) told += `${text.slice(shown, begin)}${HIDDEN}` // Else it goes on with what is hidden.
        shown = Math.max(shown, end)
        broken = isWhole || broken < 0 ? -1 : Math.max(broken, form.rest.length)
      }
      if (broken > 0) {
        const end = endOfWord(text, shown, broken)
        letters -= end - shown
        shown = end
      }
      this.#worked = last - left - letters - stopped
      if (left < 0 || letters < 0) return HIDDEN
    }
    this.#worked = text.length - left - letters - stopped
    return shown === 0 || isPlain(text) ? text : told + text.slice(shown)
  }
}

/** Nobody else's large message is taken up between two pieces of one. */
async function inTurns<Value>(walk: SecretWalk<Value>): Promise<Value> {
  for (;;) {
    await ownTurn('next')
    const { done, value } = walk.next()
    if (done) return value
  }
}

function nextBucket(bucket: number, letter: number): number {
  return ((bucket << SHIFT) ^ letter) & (BUCKETS - 1)
}

function bucketOf(head: string): number {
  let bucket = 0
  for (let at = 0; at < LOOKED_AT; at++) bucket = nextBucket(bucket, head.charCodeAt(at))
  return bucket
}
