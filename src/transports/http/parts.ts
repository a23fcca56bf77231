import { weighText } from '../../kernel/index.ts'
import type { Exchange, HttpHeaders } from './exchange.ts'

/** An answer that is made as it leaves: each part takes a moment, and what waits takes no more room than what it is made of. */
export interface BodyParts {
  /** How many bytes there are in all, where that is known. */
  readonly bytes?: number
  /** Roughly how much is left; 0 after the last part. */
  readonly left: number
  /** What it takes in memory, which is all of it until the last part has left. */
  readonly held: number
  next(): string
}

/** An exchange that can be answered with a body which is made as it leaves; any other is given all of it. */
export interface PartedExchange extends Exchange {
  answerInParts(status: number, headers: HttpHeaders, body: BodyParts): void
}

export function takesParts(exchange: Exchange): exchange is PartedExchange {
  return 'answerInParts' in exchange
}

/** Roughly how many bytes a body has. */
export function sizeOf(body: string | BodyParts): number {
  return typeof body === 'string' ? body.length : body.held
}

/** All of a body at once. */
export function joinParts(body: string | BodyParts | undefined): string | undefined {
  if (body === undefined || typeof body === 'string') return body
  let text = ''
  while (body.left > 0) text += body.next()
  return text
}

/** Letters of a part. */
export const PART = 64 * 1024

/** BodyParts of a text, each through `print`. */
export class TextParts implements BodyParts {
  readonly bytes?: number
  readonly #text: string
  readonly #print: (part: string) => string
  #weight: number | undefined
  #at = 0

  constructor(text: string, { print = plain, bytes }: PartOptions = {}) {
    this.#text = text
    this.#print = print
    if (bytes !== undefined) this.bytes = bytes
  }

  get left(): number {
    return this.#text.length - this.#at
  }

  get held(): number {
    if (this.left === 0) return 0
    this.#weight ??= weighText(this.#text)
    return this.#weight
  }

  next(): string {
    const from = this.#at
    const to = from + PART
    this.#at =
      to < this.#text.length && isHigh(this.#text.charCodeAt(to - 1))
        ? to - 1
        : Math.min(to, this.#text.length)
    return this.#print(this.#text.slice(from, this.#at))
  }
}

/** One body after the other, without putting them together; of short ones there are several in a part. */
export class SeriesParts implements BodyParts {
  readonly #waiting: BodyParts[]
  /** What is left, and held, of those that have not begun to leave. */
  readonly #rest = { left: 0, held: 0 }
  readonly #between: Between
  #before: string
  #leaving: BodyParts | undefined

  constructor(members: readonly BodyParts[], between: Between = NOTHING_BETWEEN) {
    this.#waiting = members.toReversed()
    this.#between = between
    this.#before = between.open
    for (const member of members) this.#count(member, 1)
  }

  get left(): number {
    return this.#rest.left + (this.#leaving?.left ?? 0)
  }

  get held(): number {
    return this.#rest.held + (this.#leaving?.held ?? 0)
  }

  next(): string {
    let part = ''
    while (part.length < PART && this.left > 0) {
      if (this.#leaving === undefined) part += this.#begin()
      const leaving = this.#leaving as BodyParts // There is one, as something is left.
      part += leaving.next()
      if (leaving.left === 0) this.#leaving = undefined
    }
    return this.left === 0 ? `${part}${this.#between.close}` : part
  }

  #begin(): string {
    const before = this.#before
    this.#before = this.#between.between
    this.#leaving = this.#waiting.pop()
    if (this.#leaving !== undefined) this.#count(this.#leaving, -1)
    return before
  }

  #count({ left, held }: BodyParts, times: 1 | -1): void {
    this.#rest.left += times * left
    this.#rest.held += times * held
  }
}

/** What stands before, between and after the members of a series. */
interface Between {
  readonly open: string
  readonly between: string
  readonly close: string
}

const NOTHING_BETWEEN: Between = { open: '', between: '', close: '' }

interface PartOptions {
  readonly print?: (part: string) => string
  readonly bytes?: number
}

function plain(part: string): string {
  return part
}

/** Whether it is the first half of a letter, which makes no bytes without the second. */
function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
