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

/** BodyParts of a text, each through `print`, between a beginning and an end. */
export class TextParts implements BodyParts {
  readonly bytes?: number
  readonly #text: string
  readonly #print: (part: string) => string
  readonly #tail: string
  #head: string
  #weight: number | undefined
  #at = 0

  constructor(text: string, { head = '', tail = '', print = plain, bytes }: PartOptions = {}) {
    this.#text = text
    this.#head = head
    this.#tail = tail
    this.#print = print
    if (bytes !== undefined) this.bytes = bytes
  }

  get left(): number {
    const left = this.#text.length - this.#at
    return left === 0 ? 0 : left + this.#head.length + this.#tail.length
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
    const head = this.#head
    this.#head = ''
    const part = this.#print(this.#text.slice(from, this.#at))
    return `${head}${part}${this.#at === this.#text.length ? this.#tail : ''}`
  }
}

/** The members of a list, one after the other, without putting them together; of short ones there are several in a part. */
export class ListedParts implements BodyParts {
  readonly #waiting: BodyParts[]
  /** What is left of those that have not begun to leave. */
  #rest: number
  #leaving: BodyParts | undefined
  #before = '['

  constructor(members: readonly BodyParts[]) {
    this.#waiting = members.toReversed()
    this.#rest = members.reduce((sum, { left }) => sum + left, 0)
  }

  get left(): number {
    return this.#rest + (this.#leaving?.left ?? 0)
  }

  get held(): number {
    return this.#rest + (this.#leaving?.held ?? 0)
  }

  next(): string {
    let part = ''
    while (part.length < PART && this.left > 0) {
      if (this.#leaving === undefined) part += this.#begin()
      part += this.#leaving?.next() ?? ''
      if (this.#leaving?.left === 0) this.#leaving = undefined
    }
    return this.left === 0 ? `${part}]` : part
  }

  #begin(): string {
    const before = this.#before
    this.#before = ','
    this.#leaving = this.#waiting.pop()
    this.#rest -= this.#leaving?.left ?? 0
    return before
  }
}

interface PartOptions {
  readonly head?: string
  readonly tail?: string
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
