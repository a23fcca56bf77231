import { type Client, ClientError, ErrorReply } from '../../client/index.ts'
import {
  type Call,
  type ClientRefusal,
  FAULTS,
  Fault,
  type FaultName,
  isObject,
  type Revision,
  Told,
  toWire,
} from '../../kernel/index.ts'

/** What has another code in some revision. */
const RECODED: readonly FaultName[] = ['resourceNotFound', 'missingCapability']

/** What an upstream answered instead of a result, word for word; a code that the caller's revision has another for is that. */
export function toldBy(error: ErrorReply, spoken: Revision, { method, params }: Call): Fault | Told {
  const { code, message, data } = error
  const named = RECODED.find((name) => isCoded(name, { code, data, method, uri: params?.['uri'] }, spoken))
  const logged = loggedOf(message, params?.['uri'])
  if (named !== undefined) return new Fault(named, message, data, undefined, logged)
  return new Told(data === undefined ? { code, message } : { code, message, data }, logged)
}

/** The log has where a resource is anyway, without what is asked of it; what else is asked for may be quoted, and is not told. */
function loggedOf(message: string, uri: unknown): string | undefined {
  if (typeof uri !== 'string') return undefined
  const told = uri.replace(/[?#].*$/s, '?…')
  return told === uri ? message : message.replaceAll(uri, () => told)
}

interface Coded {
  readonly code: number
  readonly data: unknown
  readonly method: string
  readonly uri: unknown
}

const CODES: { readonly [name in FaultName]?: number } = {
  resourceNotFound: -32002,
  missingCapability: -32021,
}

/** A code that stands for several things is known by what it is about. */
function isCoded(name: FaultName, { code, data, method, uri }: Coded, spoken: Revision): boolean {
  if (code !== (spoken.codes[name] ?? CODES[name])) return false
  if (name === 'resourceNotFound')
    return method === 'resources/read' && (code === CODES[name] || (isObject(data) && data['uri'] === uri))
  return code === CODES[name] || (isObject(data) && 'requiredCapabilities' in data)
}

/** What an upstream is told where a client has refused to answer it, or could not be asked. */
export function asRefusal(error: unknown): unknown {
  const { refusal } = error as ClientRefusal
  if (refusal !== undefined) return new Told(refusal)
  return error instanceof Fault ? new Told(toWire(error)) : error
}

/** Whether the way to an upstream has broken, so that it has to be found again. */
export function isBroken(error: unknown): error is ClientError {
  return error instanceof ClientError && (error.reason === 'lost' || error.reason === 'unreachable')
}

export function isLost(error: unknown): error is ClientError {
  return error instanceof ClientError && error.reason === 'lost'
}

/** Whether an upstream has forgotten one session after the other before it answered anything in them. */
export function isForgetful(error: unknown): boolean {
  return error instanceof ClientError && error.details.forgotten === true
}

/** Whether an upstream answers that it was asked for what there is not, or in a wrong way, which is none of its failures. */
export function isMistaken({ wire }: Told): boolean {
  return wire.code === FAULTS.invalidParams.code || wire.code === CODES.resourceNotFound
}

/** Whether an upstream does not know what is spoken to it any more, as one does that has been replaced: it has done nothing then. */
export function isUnspoken(error: unknown, revision: Revision): boolean {
  if (error instanceof ClientError) return error.reason === 'unsupported'
  return error instanceof ErrorReply && (namesOthers(error, revision) || soundsUnspoken(error, revision))
}

/** Whether it says which revisions it knows, and ours is none of them. */
function namesOthers({ code, data }: ErrorReply, { id }: Revision): boolean {
  const known = isObject(data) ? data['supported'] : undefined
  return code === FAULTS.unsupportedVersion.code && Array.isArray(known) && !known.includes(id)
}

/** How servers that open by a handshake refuse what comes without a session; a tool of any other may fail in the same words. */
function soundsUnspoken({ code, status, message }: ErrorReply, { opening }: Revision): boolean {
  if (opening !== 'every-request' || status !== 400) return false
  return code === FAULTS.unsupportedVersion.code || (WAY_CODES.includes(code) && WORDS.test(message))
}

const [WAY_CODES, WORDS] = [[-32000, -32001], /session|not initialized|protocol version/i]

/** Whether that is certain: who says so is asked something harmless, since nothing is to be done twice. */
export async function isReplaced(error: unknown, client: Client, signal: AbortSignal): Promise<boolean> {
  const { cause } = error as Error
  const { revision } = client
  if (!(cause instanceof ErrorReply)) return true
  const method = revision.opening === 'every-request' ? 'server/discover' : 'ping'
  return client.request(method, {}, { signal, timeoutMs: GREETING_MS }).then(
    ({ supportedVersions: known }) => Array.isArray(known) && !known.includes(revision.id),
    (refused) => isUnspoken(refused, revision),
  )
}

const GREETING_MS = 5000

/** Whether we have ended the connection ourselves. */
export function isClosed(error: unknown): boolean {
  return error instanceof ClientError && error.reason === 'closed'
}

/** Whoever has another process of it may have what this one wants, too. */
export function hintAtSharing({ message, details }: ClientError): ClientError {
  const hint = 'another process of it runs; where only one can, "shared": true has all callers share it'
  const brief = `${details.brief ?? message}; ${hint}`
  return new ClientError('lost', `${message}; ${hint}`, { ...details, brief })
}

/** What went wrong on the way is told with who it was. */
export function explain(name: string, words: string): string {
  return words.startsWith(name) ? words : `${name}: ${words}`
}
