import type { Id, Refused } from '../../kernel/index.ts'

/** How much of its end is looked at. */
const END_BYTES = 1024

/** How many times as long as it may be a line is before nobody waits for its end. */
const ENDLESS = 16

/** The members that an object ends with and that hold no others: in whole JSON they are of the outermost. */
const MEMBERS = /(?:,\s*"[^"\\]*"\s*:\s*(?:"[^"\\]*"|-?[\d.]+|true|false|null)\s*){1,8}\}\s*$/
const ID = /,\s*"id"\s*:\s*("[^"\\]*"|-?\d+)\s*[,}]/

/** A line that is too long and of which no more is kept than its last bytes, where those may tell whose answer it was. */
export class SkippedLine {
  #refused: Refused | undefined
  readonly #most: number
  #end = Buffer.alloc(0)
  #length = 0

  constructor(refused: Refused, limit: number) {
    this.#refused = refused
    this.#most = limit * ENDLESS
  }

  /** Gives the refusal as soon as there is no reason to wait for the end. */
  skip(part: Uint8Array): Refused | undefined {
    this.#length += part.length
    if (!isWanting(this.#refused) || this.#length > this.#most) return this.#tell()
    this.#end = Buffer.concat([this.#end, part.subarray(-END_BYTES)]).subarray(-END_BYTES)
    return undefined
  }

  end(): Refused | undefined {
    const refused = this.#tell()
    return refused && withIdAtEnd(refused, this.#end)
  }

  #tell(): Refused | undefined {
    const refused = this.#refused
    this.#refused = undefined
    return refused
  }
}

/** Tells of an answer that has its id at its end whose it was. */
export function withIdAtEnd(refused: Refused, line: Uint8Array): Refused {
  if (!isWanting(refused)) return refused
  const [members = ''] = MEMBERS.exec(Buffer.from(line.subarray(-END_BYTES)).toString()) ?? []
  const [, id] = ID.exec(members) ?? []
  if (id === undefined || members.includes('"method"')) return refused
  return { ...refused, response: { id: JSON.parse(id) as Id } } // As matched.
}

function isWanting(refused: Refused | undefined): boolean {
  return refused?.isResponse === true && refused.response?.id === undefined
}
