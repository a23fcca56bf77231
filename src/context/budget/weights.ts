import { ownTurn } from '../../process/own-turn.ts'
import { hundredthsIn, hundredthsOfSigns, isSign } from './tokens.ts'

/** What a value weighs once it is printed; the signs at its ends make one run with those beside them. */
interface Weight {
  readonly hundredths: number
  /** How many signs it begins and ends with; as many as there are, where there is nothing else. */
  readonly lead: number
  readonly trail: number
  readonly isSigns: boolean
}

/** What is lighter is weighed again sooner than found. */
const HEAVY = 10_000

/** So many parts are weighed before others have a turn. */
const ATATIME = 4000

/** Weighs each value once, however often it is asked for: a value that is weighed again with each of its parts takes its depth times as long. */
export class Weights {
  readonly #known = new Map<unknown, Weight>()
  #parts = 0

  /** The tokens of a value as JSON. */
  of(value: unknown): number {
    if (isShort(value)) return Math.ceil(weightOfText(JSON.stringify(value) ?? '').hundredths / 100)
    const steps = this.#weigh(value)
    let step = steps.next()
    while (step.done !== true) step = steps.next()
    return Math.ceil(step.value.hundredths / 100)
  }

  /** The same, while others have their turns; after that it is known. */
  async prepare(value: unknown): Promise<void> {
    const steps = this.#weigh(value)
    while (steps.next().done !== true) await ownTurn('next')
  }

  *#weigh(value: unknown): Generator<undefined, Weight> {
    if (!isPlain(value) && typeof value !== 'string') return weightOfText(JSON.stringify(value) ?? '')
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const weight =
      typeof value === 'string' ? weightOfText(JSON.stringify(value)) : yield* this.#weighParts(value)
    if (weight.hundredths >= HEAVY) this.#known.set(value, weight)
    return weight
  }

  *#weighParts(value: object): Generator<undefined, Weight> {
    const row = new WeightRow()
    const isList = Array.isArray(value)
    const parts: readonly unknown[] = isList ? value : Object.keys(value)
    let isFirst = true
    row.addSigns(1)
    for (const part of parts) {
      const one = isList ? part : value[part as keyof object] // It is one of its names.
      if (++this.#parts % ATATIME === 0) yield
      if (!isList && !isPrinted(one)) continue
      row.addSigns(isFirst ? 0 : 1)
      isFirst = false
      if (!isList) {
        row.add(weightOfText(JSON.stringify(part)))
        row.addSigns(1)
      }
      if (!isPrinted(one)) row.add(NULL)
      else row.add(isShort(one) ? weightOfText(JSON.stringify(one)) : yield* this.#weigh(one))
    }
    row.addSigns(1)
    return row.weight
  }
}

/** Whether it is printed by its members; what prints itself is weighed as it is printed. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false
  const made: unknown = Object.getPrototypeOf(value)
  return made === Object.prototype || made === null || made === Array.prototype
}

/** What is weighed sooner than asked for: a step of its own costs as much as ten of these. */
function isShort(value: unknown): boolean {
  return typeof value === 'string' ? value.length < SHORT : typeof value !== 'object' || value === null
}

const SHORT = 64

function isPrinted(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
}

function weightOfText(text: string): Weight {
  let [lead, trail] = [0, 0]
  while (lead < text.length && isSign(text, lead)) lead++
  while (trail < text.length && isSign(text, text.length - 1 - trail)) trail++
  return { hundredths: hundredthsIn(text), lead, trail, isSigns: lead === text.length }
}

const NULL = weightOfText('null')

/** Weights one after the other, with signs between them. */
class WeightRow {
  #hundredths = 0
  #lead: number | undefined
  #signs = 0

  addSigns(count: number): void {
    this.#signs += count
  }

  add({ hundredths, lead, trail, isSigns }: Weight): void {
    this.#signs += lead
    if (isSigns) return
    this.#lead ??= this.#signs
    this.#hundredths +=
      hundredthsOfSigns(this.#signs) + hundredths - hundredthsOfSigns(lead) - hundredthsOfSigns(trail)
    this.#signs = trail
  }

  get weight(): Weight {
    const trail = this.#signs
    const hundredths = this.#hundredths + hundredthsOfSigns(trail)
    return { hundredths, lead: this.#lead ?? trail, trail, isSigns: this.#lead === undefined }
  }
}
