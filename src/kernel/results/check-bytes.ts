import { Mistake } from '../words/mistake.ts'

/** As much as no result has: what holds itself must come to an end, too. */
const [DEPTH, VALUES] = [100, 1_000_000]

/** Throws where a tool gave bytes: as JSON they are a list of numbers, of which 20 MB are more than a heap of 256 MiB holds. */
export function checkBytes(returned: unknown): void {
  if (typeof returned !== 'object' || returned === null) return
  const found = findBytes(returned, DEPTH, { values: VALUES })
  if (found === undefined) return
  const { bytes } = found
  const place = found.place === '' ? '' : ` as ${found.place.replace(/^\./, '')}`
  throw new Mistake(
    `The tool gave ${bytes.byteLength} bytes (${bytes.constructor.name})${place}, and a result is JSON: give text, or a block with base64, such as { type: 'image', mimeType: 'image/png', data: bytes.toString('base64') }, or one of type audio or resource`,
  )
}

interface FoundBytes {
  readonly bytes: ArrayBuffer | ArrayBufferView
  readonly place: string
}

/** Makes nothing as long as it finds nothing, since every result is looked through before it is printed. */
function findBytes(value: object, depth: number, left: { values: number }): FoundBytes | undefined {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return { bytes: value, place: '' }
  if (depth === 0) return undefined
  if (Array.isArray(value)) return findAmong(value, depth, left)
  if ('toJSON' in value && typeof value.toJSON === 'function') return undefined // It prints itself.
  for (const key in value) {
    if (left.values-- <= 0) return undefined
    const member: unknown = value[key as keyof typeof value] // It is one of its names.
    if (typeof member !== 'object' || member === null) continue
    const found = findBytes(member, depth - 1, left)
    if (found !== undefined && Object.hasOwn(value, key)) return { ...found, place: `.${key}${found.place}` }
  }
  return undefined
}

/** By their numbers: the names of a list's places would be made, all of them, to be looked through. */
function findAmong(
  list: readonly unknown[],
  depth: number,
  left: { values: number },
): FoundBytes | undefined {
  for (let at = 0; at < list.length && left.values-- > 0; at++) {
    const member = list[at]
    if (typeof member !== 'object' || member === null) continue
    const found = findBytes(member, depth - 1, left)
    if (found !== undefined) return { ...found, place: `[${at}]${found.place}` }
  }
  return undefined
}
