import { Buffer } from 'node:buffer'

const NEWLINE = 10
const SPACE = 32
const DIGIT_0 = 48
const ID = Buffer.from('"id":')

/** Cuts what a server writes into lines; what has not ended yet waits for the rest. */
export class AnswerLines {
  #begun: Buffer[] = []

  /** Calls `take` for each line that has ended. */
  feed(chunk: Buffer, take: (line: Buffer) => void): void {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = chunk.subarray(start, end)
      start = end + 1
      if (this.#begun.length === 0) {
        take(line)
        continue
      }
      const whole = Buffer.concat([...this.#begun, line])
      this.#begun = []
      take(whole)
    }
    if (start < chunk.length) this.#begun.push(chunk.subarray(start))
  }
}

/** Whether one of the ids in a line is wanted; it is not parsed, since this is done for every answer. */
export function hasId(line: Buffer, wanted: (id: number) => boolean): boolean {
  for (let at = line.indexOf(ID); at >= 0; at = line.indexOf(ID, at)) {
    at += ID.length
    while (line[at] === SPACE) at++
    let id = 0
    for (let digit = digitAt(line, at); digit >= 0 && digit <= 9; digit = digitAt(line, ++at))
      id = id * 10 + digit
    if (wanted(id)) return true
  }
  return false
}

function digitAt(line: Buffer, at: number): number {
  return (line[at] ?? 0) - DIGIT_0
}
