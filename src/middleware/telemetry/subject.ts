import { type Call, type Id, type JsonObject, REVISIONS, type Request } from '../../kernel/index.ts'
import { tellName, tellText } from './redact.ts'

/** What a request is about. */
export interface Subject {
  readonly method: string
  /** null where it had none that can be read. */
  readonly id: Id | null
  readonly tool: string | undefined
  readonly prompt: string | undefined
  readonly uri: string | undefined
  /** What the server does not have: such names come from clients, and there is no end of them. */
  readonly unknown: 'method' | 'target' | undefined
}

type RefusedRequest = Pick<Request, 'method'> & Partial<Pick<Request, 'params'>> & { readonly id: Id | null }

/** Says what a call is about; a tool that worked was there, also if it is gone by now. */
export function describeCall(call: Call, worked: boolean): Subject {
  return describe(call.request, findUnknown(call, worked))
}

/** Says what a request was about that became no call: what the server has is not known. */
export function describeRefused(request: RefusedRequest): Subject {
  const { method, params } = request
  if (!KNOWN_METHODS.has(method)) return describe(request, 'method')
  return describe(request, findNamed(method, params) === undefined ? undefined : 'target')
}

/** Stands for every name that the server does not have. */
export const OTHER = '_OTHER'

export function boundedMethod(method: string): string {
  return KNOWN_METHODS.has(method) ? method : OTHER
}

/** The same names in a bounded number of words. */
export function bounded({ method, tool, prompt, unknown }: Subject): {
  readonly method: string
  readonly tool: string | undefined
  readonly prompt: string | undefined
} {
  if (unknown === undefined) return { method, tool, prompt }
  return {
    method: unknown === 'method' ? OTHER : method,
    tool: tool === undefined ? undefined : OTHER,
    prompt: prompt === undefined ? undefined : OTHER,
  }
}

const KNOWN_METHODS = new Set([...REVISIONS.flatMap((revision) => revision.requests), 'exit'])

const WITH_URI = ['resources/read', 'resources/subscribe', 'resources/unsubscribe']

function describe({ method, id, params }: RefusedRequest, unknown: Subject['unknown']): Subject {
  const name = findNamed(method, params)
  const named = name === undefined ? undefined : tellName(name)
  const uri = WITH_URI.includes(method) ? params?.['uri'] : undefined
  return {
    method: tellName(method),
    id: typeof id === 'string' ? tellName(id) : id,
    tool: method === 'tools/call' ? named : undefined,
    prompt: method === 'prompts/get' ? named : undefined,
    uri: typeof uri === 'string' ? tellUri(uri) : undefined,
    unknown,
  }
}

function findNamed(method: string, params: JsonObject | undefined): string | undefined {
  const name = method === 'tools/call' || method === 'prompts/get' ? params?.['name'] : undefined
  return typeof name === 'string' ? name : undefined
}

function findUnknown({ method, params, peer, server, request }: Call, worked: boolean): Subject['unknown'] {
  if (!KNOWN_METHODS.has(method) && !peer.revision.requests.includes(method)) return 'method'
  const name = worked ? undefined : findNamed(method, params)
  if (name === undefined || request.front === 'own') return undefined
  return (method === 'tools/call' ? server.tools : server.prompts).has(name) ? undefined : 'target'
}

/** Where a resource is, without what is asked of it or who asks. */
function tellUri(uri: string): string {
  return tellText(uri.replace(/[?#].*$/s, '?…'))
}
