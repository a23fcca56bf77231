import type { Incoming, JsonObject } from '../kernel/index.ts'
import { mask, maskText } from './mask.ts'

/** What is kept of a message's text. */
export interface PassingText {
  readonly text: string
  readonly bytes: number
  readonly cut?: true
}

/** How much is said of a message that is too long to be kept. */
const HEAD = 2000

/** A message that is printed already: without secrets, and no longer than may be. */
export function maskPrinted(whole: string, most: number): PassingText {
  const bytes = Buffer.byteLength(whole)
  if (bytes <= most) return { text: JSON.stringify(mask(JSON.parse(whole))), bytes }
  const head = {
    jsonrpc: '2.0',
    ...namesOf(whole),
    cut: `${bytes} bytes: more than is kept of one message (--max-console-message)`,
    begins: maskText(whole.slice(0, HEAD)),
  }
  return { text: JSON.stringify(head), bytes, cut: true }
}

/** As we print messages, what they are called stands first. */
const NAMES =
  /^\{"jsonrpc":"2\.0"(?:,"id":(?<id>[\d.e+-]+|"(?:[^"\\]|\\.)*"))?(?:,"method":(?<method>"(?:[^"\\]|\\.)*"))?/

/** Which message it is, so that it is known by what it answers. */
function namesOf(whole: string): object {
  const found = Object.entries(NAMES.exec(whole.slice(0, HEAD))?.groups ?? {}).filter(
    ([, text]) => text !== undefined,
  )
  return Object.fromEntries(found.map(([name, text]) => [name, mask(JSON.parse(text))]))
}

/** What came, as it came, as far as it has been read. */
export function messageOf(incoming: Incoming): JsonObject | readonly JsonObject[] {
  if (incoming.kind === 'batch') return incoming.entries.map((one) => messageOf(one) as JsonObject) // No batch holds another.
  if (incoming.kind === 'refused') {
    const { id, fault, request } = incoming
    return { jsonrpc: '2.0', id, method: request?.method, params: request?.params, unreadable: fault.message }
  }
  if (incoming.kind === 'response') {
    const { id, result, error } = incoming
    return { jsonrpc: '2.0', id, result, error }
  }
  const { method, params } = incoming
  const id = incoming.kind === 'request' ? incoming.id : undefined
  return { jsonrpc: '2.0', id, method, params }
}
