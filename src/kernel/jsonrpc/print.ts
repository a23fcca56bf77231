import { FAULTS } from '../faults.ts'
import { tellUnprintable } from './answer.ts'
import { isObject, type Outgoing, type Reply } from './message.ts'

const UNPRINTABLE = { ...FAULTS.internalError, message: 'The answer cannot be written as JSON' }

/**
 * Message to text, on one line; an answer that is no JSON becomes an error for its id.
 * @example console.log(print({ jsonrpc: '2.0', id: 1, result: {} }))
 */
export function print(message: Outgoing): string {
  try {
    if ('result' in message) return printSuccess(message)
    return isBatch(message) ? `[${message.map(printPart).join(',')}]` : JSON.stringify(message)
  } catch (error) {
    if (isBatch(message) || 'method' in message) throw error // Whoever said it is still there to be told.
    tellUnprintable(message, error)
    return JSON.stringify({ jsonrpc: '2.0', id: message.id, error: UNPRINTABLE })
  }
}

function isBatch(message: Outgoing): message is Extract<Outgoing, readonly unknown[]> {
  return Array.isArray(message)
}

/**
 * A reply that will be part of a batch, whose text is kept until then: some have megabytes.
 * @example const bytes = printPart({ jsonrpc: '2.0', id: 1, result: {} }).length
 */
export function printPart(reply: Reply): string {
  const text = PRINTED.get(reply) ?? print(reply)
  PRINTED.set(reply, text)
  return text
}

type Success = Extract<Reply, { readonly result: unknown }>

function printSuccess(message: Success): string {
  const text = printSaying(message) ?? JSON.stringify(message)
  if (typeof message.result['toJSON'] !== 'function' || isObject(JSON.parse(text).result)) return text
  throw new TypeError('The result prints itself as something that is no result')
}

/** What most tools answer, a block of text and nothing else, is printed by hand in half of JSON.stringify's time. */
function printSaying({ id, result }: Success): string | undefined {
  const { content, isError, resultType, _meta } = result
  if (!Array.isArray(content) || content.length !== 1 || typeof isError !== 'boolean') return undefined
  const said = saidBy(content[0])
  if (said === undefined) return undefined
  const members = `"content":[{"type":"text","text":${JSON.stringify(said)}}],"isError":${isError}`
  const start = `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":{`
  const count = Object.keys(result).length
  if (count === 2) return `${start}${members}}}`
  if (count !== 4 || resultType !== 'complete' || !isObject(_meta)) return undefined
  return `${start}"resultType":"complete",${members},"_meta":${printOnce(_meta)}}}`
}

/** The text of a block that has nothing but text. */
export function saidBy(block: unknown): string | undefined {
  if (!isObject(block) || block['type'] !== 'text' || Object.keys(block).length !== 2) return undefined
  const { text } = block
  return typeof text === 'string' && Object.getPrototypeOf(block) === Object.prototype ? text : undefined
}

const PRINTED = new WeakMap<object, string>()

/** The name that a server puts under its results is frozen, and so printed once. */
function printOnce(value: object): string {
  const known = PRINTED.get(value)
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  if (Object.isFrozen(value)) PRINTED.set(value, text)
  return text
}
