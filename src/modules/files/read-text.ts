import type { FileHandle } from 'node:fs/promises'
import { printPath } from '../../confined/explain.ts'
import { readAtMost } from '../../confined/read-at-most.ts'
import { isUtf8 } from './file-content.ts'

/** As much is read of a file at once. */
export const MAX_BYTES = 1024 * 1024

/** A part of a file: lines from 1 on, the last one included, or bytes from 0 on. Lines below zero are counted from the end. */
export interface FilePart {
  readonly startLine?: number | undefined
  readonly endLine?: number | undefined
  readonly offset?: number | undefined
  readonly length?: number | undefined
}

/** Throws where nobody waits for it any more: what is passed over may be longer than any disk. */
export interface WantedPart extends FilePart {
  readonly checkWanted?: () => void
}

export function checkPart({ startLine, endLine, offset, length }: FilePart): void {
  const byLines = startLine !== undefined || endLine !== undefined
  if (byLines && (offset !== undefined || length !== undefined))
    throw new Error('expected lines (startLine, endLine) or bytes (offset, length), got both')
  if (startLine === 0) throw new Error('startLine: expected 1 for the first line or -1 for the last, got 0')
  if (startLine !== undefined && startLine < 0 && endLine !== undefined)
    throw new Error('endLine: lines from the end go to the end; leave it out, or count from the beginning')
  if (endLine !== undefined && endLine < (startLine ?? 1))
    throw new Error(`endLine: expected ${startLine ?? 1} or more, got ${endLine}`)
}

export function isWhole({ startLine, endLine, offset, length }: FilePart): boolean {
  return (startLine ?? endLine ?? offset ?? length) === undefined
}

/** The bytes of a part, or of all of a file, which then may not be larger than what is read at once. */
export async function readPart(file: FileHandle, path: string, part: WantedPart): Promise<Buffer> {
  const { startLine, endLine, offset, length, checkWanted = () => {} } = part
  if (offset !== undefined || length !== undefined)
    return readLetters(file, offset ?? 0, Math.min(length ?? MAX_BYTES, MAX_BYTES))
  if (startLine !== undefined && startLine < 0) return readLast(file, path, -startLine)
  if (startLine !== undefined || endLine !== undefined)
    return readLines(file, path, {
      first: startLine ?? 1,
      last: endLine ?? Number.POSITIVE_INFINITY,
      checkWanted,
    })
  const { size } = await file.stat()
  if (size > MAX_BYTES) throw tooLarge(path, `${size}`)
  const bytes = await readAtMost(file, MAX_BYTES + 1, size)
  if (bytes.length > MAX_BYTES) throw tooLarge(path, `at least ${bytes.length}`)
  return bytes
}

function tooLarge(path: string, size: string): Error {
  return new Error(
    `${printPath(path)} is too large: ${size} bytes, and the limit is ${MAX_BYTES} bytes. Read a part of it: startLine and endLine, or offset and length`,
  )
}

const CHUNK_BYTES = 64 * 1024
const NEWLINE = 10

/** The longest letter of UTF-8, without its first byte. */
const LETTER_BYTES = 3

/** Where a letter lies across the border, it belongs to the part in which it begins, so that parts of a text are text. */
async function readLetters(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = await readBytes(file, offset, length + LETTER_BYTES)
  const whole = bytes.subarray(offset === 0 ? 0 : letterAt(bytes, 0), letterAt(bytes, length))
  return isUtf8(whole) ? whole : bytes.subarray(0, length)
}

/** The first place from one on at which a letter begins. */
function letterAt(bytes: Buffer, from: number): number {
  let at = from
  while (at < from + LETTER_BYTES && ((bytes[at] ?? 0) & 0b1100_0000) === 0b1000_0000) at++
  return at
}

async function readBytes(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, offset + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}

interface LineRange {
  readonly first: number
  readonly last: number
  readonly checkWanted: () => void
}

/** Passes over what comes before, chunk by chunk, and keeps no more than may be given. */
async function readLines(file: FileHandle, path: string, lines: LineRange): Promise<Buffer> {
  const { first, last, checkWanted } = lines
  const kept: Buffer[] = []
  let size = 0
  let line = 1
  for (;;) {
    checkWanted()
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const { bytesRead } = await file.read(chunk)
    const bytes = chunk.subarray(0, bytesRead)
    const start = line >= first ? 0 : passLines(bytes, first - line)
    if (start === undefined) line += countLines(bytes)
    else {
      line = Math.max(line, first)
      const end = passLines(bytes.subarray(start), last + 1 - line)
      const piece = bytes.subarray(start, end === undefined ? undefined : start + end)
      kept.push(piece)
      size += piece.length
      line += countLines(piece)
      if (size > MAX_BYTES)
        throw new Error(
          `${printPath(path)}: lines ${first} to ${line} have more than ${MAX_BYTES} bytes: ask for fewer`,
        )
      if (end !== undefined) return Buffer.concat(kept)
    }
    if (bytesRead === 0) return Buffer.concat(kept)
  }
}

/** Where the line begins that comes after so many; undefined where it is not in these bytes. */
function passLines(bytes: Buffer, count: number): number | undefined {
  let at = 0
  for (let passed = 0; passed < count; passed++) {
    const next = bytes.indexOf(NEWLINE, at)
    if (next < 0) return undefined
    at = next + 1
  }
  return at
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++
  return count
}

/** The last lines, as far as they lie in what is read at once from the end. */
async function readLast(file: FileHandle, path: string, count: number): Promise<Buffer> {
  const { size } = await file.stat()
  const from = Math.max(0, size - MAX_BYTES)
  const bytes = await readBytes(file, from, MAX_BYTES)
  let at = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length
  for (let found = 0; found < count; found++) {
    at = at === 0 ? -1 : bytes.lastIndexOf(NEWLINE, at - 1)
    if (at < 0 && from > 0)
      throw new Error(
        `${printPath(path)}: its last ${count} lines have more than ${MAX_BYTES} bytes: ask for fewer`,
      )
    if (at < 0) return bytes
  }
  return bytes.subarray(at + 1)
}
