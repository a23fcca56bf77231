import type { Peer } from '../calls/peer.ts'
import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import { REVISIONS } from '../revisions/index.ts'
import type { Revision } from '../revisions/revision.ts'
import { cut } from '../words/describe.ts'
import type { Question } from './needs.ts'

/** Why a client cannot be asked something. */
export interface MissingCapability {
  /** What it has not declared and would have to. */
  readonly required: JsonObject
  /** What it cannot do, why, and what helps, for whoever uses it. */
  readonly reason: string
}

/**
 * What a question needs that this client has not declared, or that its revision has no words for; undefined where nothing is missing.
 * @example const lacks = missingCapability(listRoots(), call.peer)?.reason
 */
export function missingCapability(question: Question, peer: Peer): MissingCapability | undefined {
  const needed = neededCapability(question)
  const isDeclared = declares(peer.capabilities, needed)
  const isKnown = isKnownIn(peer.revision, question)
  if (isDeclared && isKnown) return undefined
  const offered = `which this client does not offer (${pathOf(needed)}): allow it there, or use another`
  const why = isKnown ? offered : unknownIn(peer.revision, question)
  return { required: isDeclared ? {} : needed, reason: `${deedOf(question)}, ${why}` }
}

function unknownIn({ id }: Revision, question: Question): string {
  const since = REVISIONS.find((one) => isKnownIn(one, question))
  if (since === undefined) return 'which MCP has no words for'
  return `which MCP has since ${since.id}, while this client speaks ${id}: a newer one is needed`
}

function neededCapability({ method, params }: Question): JsonObject {
  if (method === 'roots/list') return { roots: {} }
  if (method === 'elicitation/create') return { elicitation: { [modeOf(params)]: {} } }
  if (method === 'sampling/createMessage') return { sampling: wantsTools(params) ? { tools: {} } : {} }
  return {} // Nothing that a client could declare.
}

/** What the client would do, as whoever uses it sees it. */
function deedOf({ method, params }: Question): string {
  if (method === 'roots/list') return 'to say which folders it has open'
  if (method === 'sampling/createMessage')
    return wantsTools(params) ? 'to let its model answer with tools' : 'to let its model answer'
  if (method !== 'elicitation/create') return `to answer ${JSON.stringify(cut(method, 40))}`
  const mode = modeOf(params)
  if (mode === 'url') return 'to have its user open a page'
  if (mode !== 'form') return `to ask its user by ${mode}`
  return hasLists(params) ? 'to let its user choose several from a list' : 'to ask its user by a form'
}

function modeOf(params: JsonObject | undefined): string {
  return cut(String(params?.['mode'] ?? 'form'), 40)
}

function wantsTools(params: JsonObject | undefined): boolean {
  return params?.['tools'] !== undefined || params?.['toolChoice'] !== undefined
}

function isKnownIn({ questions, elicitation, formLists }: Revision, { method, params }: Question): boolean {
  const mode = params?.['mode']
  const isKnownMode = mode === undefined || elicitation.some((known) => known === mode)
  return questions.includes(method) && isKnownMode && (formLists || !hasLists(params))
}

/** A form that lets the user choose several values cannot be put in older words. */
function hasLists(params: JsonObject | undefined): boolean {
  const schema = params?.['requestedSchema']
  const fields = isObject(schema) && isObject(schema['properties']) ? Object.values(schema['properties']) : []
  return fields.some((field) => isObject(field) && field['type'] === 'array')
}

function pathOf(capability: JsonObject): string {
  return Object.entries(capability)
    .flatMap(([name, details]) => [name, ...(isObject(details) ? Object.keys(details) : [])])
    .join('.')
}

function declares(declared: JsonObject, needed: JsonObject): boolean {
  return Object.entries(needed).every(([name, details]) => {
    const found = declared[name]
    if (!isObject(found) || !isObject(details)) return false
    // A client that declares elicitation and names no mode means forms.
    if (name === 'elicitation' && 'form' in details) return 'form' in found || !('url' in found)
    return declares(found, details)
  })
}
