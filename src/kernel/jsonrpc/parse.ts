import { Fault, plainFault } from '../faults.ts'
import { describe } from '../words/describe.ts'
import { MAX_DEPTH, tooDeep } from './depth.ts'
import { findError } from './find-error.ts'
import { glimpse } from './glimpse.ts'
import {
  type Id,
  type Incoming,
  isFraction,
  isId,
  isObject,
  isResponse,
  type JsonObject,
  type Message,
  type Refused,
} from './message.ts'
import { readError } from './read-error.ts'

/**
 * Text to message; what is no message comes back as a refusal, never as an exception.
 * @example link.receive(parse('{"jsonrpc":"2.0","id":1,"method":"ping"}'), (reply) => console.log(reply))
 */
export function parse(
  text: string,
  dialect: ParseRules = USUAL,
  { maxNesting, maxBatchMessages, maxIdBytes }: ParseLimits = UNSAID,
): Incoming {
  if (text.length > 2 * maxNesting && tooDeep(text, maxNesting)) {
    const reason = `JSON nested more than ${maxNesting} levels deep (--max-nesting)`
    return refuseUnparsed(invalid(reason), text, maxIdBytes)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refuse(unparsable((error as Error).message, text)) // JSON.parse throws SyntaxError.
  }
  const rules = { dialect, maxIdBytes, length: text.length }
  if (!Array.isArray(value)) return readMessage(value, rules)
  return value.length > maxBatchMessages ? refuseBatch(value, maxBatchMessages) : readBatch(value, rules)
}

/** What can be an id, and where parameters stand; a dialect says so. */
export interface ParseRules {
  readonly ids: 'integers' | 'numbers'
  readonly params?: ((message: JsonObject) => unknown) | undefined
}

const USUAL: ParseRules = { ids: 'integers' }

/** How much a message may hold; the budgets of a server say so. */
export interface ParseLimits {
  readonly maxNesting: number
  readonly maxBatchMessages: number
  readonly maxIdBytes: number
}

const UNSAID: ParseLimits = {
  maxNesting: MAX_DEPTH,
  maxBatchMessages: Number.POSITIVE_INFINITY,
  maxIdBytes: Number.POSITIVE_INFINITY,
}

/** What one message is read by. */
interface MessageRules {
  readonly dialect: ParseRules
  readonly maxIdBytes: number
  /** The length of the text it came in. */
  readonly length: number
}

/** What can be an id at all need not be one everywhere. */
export function isIdIn({ ids }: Pick<ParseRules, 'ids'>, id: Id): boolean {
  return ids === 'numbers' || !isFraction(id)
}

function unparsable(reason: string, text: string): Fault {
  const details = () => ({ detail: reason, position: findError(text) })
  return new Fault('parseError', `Parse error: ${reason}`, undefined, details)
}

function readBatch(values: readonly unknown[], rules: MessageRules): Incoming {
  if (values.length === 0) return refuse(plainFault('invalidRequest', 'A batch must not be empty'))
  return { kind: 'batch', entries: values.map((value) => readMessage(value, rules)) }
}

/** One short line of JSON can hold very many entries, and each of them gets an answer. */
function refuseBatch(values: readonly unknown[], most: number): Refused {
  const reason = `A batch may hold ${most} messages, this one has ${values.length} (--max-batch-messages)`
  return {
    ...refuse(plainFault('invalidRequest', reason)),
    isResponse: values.every(isResponse),
    holdsResponses: values.some(isResponse),
  }
}

function readMessage(value: unknown, rules: MessageRules): Message | Refused {
  if (!isObject(value)) return refuse(invalid('a message must be a JSON object', value))
  const { id, method } = value
  if (typeof method !== 'string' && isResponse(value)) return readResponse(value)
  const readable = canBeId(id, rules) ? id : undefined
  if (value['jsonrpc'] !== '2.0') {
    return refuseRequest(invalid('jsonrpc must be "2.0"', value['jsonrpc']), readable, value)
  }
  if (typeof method === 'string') return readCall(value, readable, rules)
  if (method !== undefined) return refuse(invalid('method must be a string', method), readable)
  return { ...refuse(invalid('method is missing'), readable), response: { id } }
}

function canBeId(id: unknown, { dialect, maxIdBytes }: MessageRules): id is Id {
  return Number.isSafeInteger(id) || (isId(id) && isIdIn(dialect, id) && canRepeat(id, maxIdBytes))
}

/** What is too long to be kept until its answer is not sent back either: to refuse it costs less than it did. */
function canRepeat(id: Id, maxIdBytes: number): boolean {
  return typeof id !== 'string' || id.length <= maxIdBytes
}

function readCall(value: JsonObject, id: Id | undefined, rules: MessageRules): Message | Refused {
  const method = value['method'] as string // As looked at.
  const readParams = rules.dialect.params
  const params = readParams === undefined ? value['params'] : readParams(value)
  if (id === undefined && 'id' in value) return { ...refuse(wrongId(value['id'], rules)), method }
  // A notification is never answered, not even when its params are wrong.
  if (id === undefined) return { kind: 'notification', method, params: isObject(params) ? params : undefined }
  if (params !== undefined && !isObject(params)) {
    const wrong = 'Invalid params: expected an object'
    const fault = new Fault('invalidParams', `${wrong}, got ${describe(params)}`, undefined, undefined, wrong)
    return refuseRequest(fault, id, value)
  }
  return { kind: 'request', id, method, params, length: rules.length }
}

function wrongId(id: unknown, { dialect, maxIdBytes }: MessageRules): Fault {
  if (typeof id === 'string')
    return invalid(`id: at most ${maxIdBytes} bytes, got ${id.length} (--max-id); it is not repeated`)
  const kind = dialect.ids === 'numbers' ? 'a number' : 'an integer'
  return invalid(`id must be a string or ${kind} up to 2^53`, id)
}

function readResponse(value: JsonObject): Message | Refused {
  const { jsonrpc, id, result } = value
  const error = isObject(value['error']) ? readError(value['error']) : undefined
  if (jsonrpc !== '2.0') return ignore(invalid('jsonrpc must be "2.0"', jsonrpc), { id, error })
  if (!isId(id)) return ignore(invalid('an answer must carry the id of its question'), { id, error })
  return { kind: 'response', id, result: isObject(result) ? result : undefined, error }
}

/** What came instead is for its sender, and not for the log. */
function invalid(detail: string, ...got: readonly [unknown?]): Fault {
  const logged = `Invalid request: ${detail}`
  const message = got.length === 0 ? logged : `${logged}, got ${describe(got[0])}`
  return new Fault('invalidRequest', message, undefined, undefined, logged)
}

function refuseRequest(fault: Fault, id: Id | undefined, message: JsonObject): Refused {
  const { method, params } = message
  if (method === undefined) return { ...refuse(fault, id), response: { id } }
  if (typeof method !== 'string') return refuse(fault, id)
  if (id === undefined) return { ...refuse(fault), method }
  const read = isObject(params) ? params : undefined
  return { ...refuse(fault, id), request: { kind: 'request', id, method, params: read, length: 0 } }
}

/**
 * What a link is handed in place of what could not be read.
 * @example
 * const refused = refuse(new Fault('parseError', 'Parse error: the line is too long'))
 * link.receive(refused, (reply) => console.log(reply))
 */
export function refuse(fault: Fault, id?: Id): Refused {
  return { kind: 'refused', id, fault, isResponse: false }
}

/**
 * Refuses a message for its size or depth, as far as it can be read.
 * @example const refused = refuseUnparsed(new Fault('invalidRequest', 'Too deep'), '{"jsonrpc":"2.0","id":7,"params":[[[')
 */
export function refuseUnparsed(fault: Fault, text: string, maxIdBytes = UNSAID.maxIdBytes): Refused {
  const { id, ...seen } = glimpse(text)
  const repeated = id !== undefined && canRepeat(id, maxIdBytes) ? id : undefined
  return { kind: 'refused', fault, ...seen, id: repeated }
}

function ignore(fault: Fault, response: Refused['response']): Refused {
  return { kind: 'refused', id: undefined, fault, isResponse: true, response }
}
