import { flagOf } from '../../kernel/index.ts'
import { fail, type Location } from './resource.ts'
import { findUnsayable, type ValueAllowance } from './sayable.ts'

const MAX_DEPTH = 128

/** As many values of what is no schema, a `default` say, take no longer than a schema. */
const NOTES_PER_PART = 16

const PARTS_OF_RESOURCE = 4

/** How large a schema is, which is refused as soon as it is too large. */
export class SchemaSize {
  parts = 0
  readonly #maxParts: number
  readonly #notes: ValueAllowance

  constructor(maxParts: number) {
    this.#maxParts = maxParts
    this.#notes = { left: NOTES_PER_PART * maxParts }
  }

  checkDepth(depth: number, pointer: string): void {
    if (depth > MAX_DEPTH) fail(pointer, `expected at most ${MAX_DEPTH} schemas inside each other`)
  }

  count(parts: number, pointer: string): void {
    this.parts += parts
    this.check(this.parts, pointer)
  }

  check(parts: number, pointer: string): void {
    if (parts <= this.#maxParts) return
    const flag = flagOf('maxSchemaParts')
    fail(pointer, `expected a schema of at most ${this.#maxParts} parts, and here are more (--${flag})`)
  }

  /** A schema with an address of its own takes as long as several. */
  countResource(uri: string, pointer: string): void {
    this.count(PARTS_OF_RESOURCE, pointer)
    this.countUri(uri, pointer)
  }

  /** A long address is taken apart each time that it is met. */
  countUri(uri: string, pointer: string): void {
    this.count(uri.length >> 6, pointer)
  }

  countData(value: unknown, pointer: string): void {
    this.count(1, pointer)
    if (typeof value !== 'object' || value === null) return
    for (const part of Object.values(value)) this.countData(part, pointer)
  }

  /** What is no schema is listed as it stands, and compared with what came as JSON. */
  checkNote({ schema, pointer }: Location): void {
    const place = findUnsayable(schema, this.#notes)
    if (place !== undefined)
      fail(pointer + place, 'expected what can be written as JSON, at most 128 values inside each other')
    if (this.#notes.left < 0) this.check(Number.POSITIVE_INFINITY, pointer)
  }
}
