import { failure } from '../../confined/explain.ts'
import { findMimeType } from '../../confined/mime-type.ts'
import type { AudioBlock, ImageBlock } from '../../kernel/index.ts'

/** What a file holds: text, or a picture or a sound that models can look at. */
export function contentOf(path: string, bytes: Buffer): string | ImageBlock | AudioBlock {
  const type = mediaType(path)
  const text = parseText(bytes)
  // Silence is zeros, which are text as well; nobody wants to read them.
  if (text !== undefined && !(type !== undefined && bytes.includes(0))) return text
  if (type === undefined) throw failure('NOT_TEXT')
  return {
    type: type.startsWith('image/') ? 'image' : 'audio',
    data: bytes.toString('base64'),
    mimeType: type,
  }
}

/** Importing it would have every start wait for it. */
export function isUtf8(bytes: Buffer): boolean {
  return process.getBuiltinModule('node:buffer').isUtf8(bytes)
}

/** Undefined where the bytes are none; a byte order mark is kept, so that what is read can be written back unchanged. */
export function parseText(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString() : undefined
}

/** UTF-8 has no place for half a character, and would quietly write another. */
export function checkWhole(name: string, text: string): string {
  if (!text.isWellFormed())
    throw new Error(`${name}: expected text, got half a character (a lone surrogate) in it`)
  return text
}

function mediaType(path: string): string | undefined {
  const type = findMimeType(path)
  return type !== undefined && /^(image|audio)\//.test(type) ? type : undefined
}
