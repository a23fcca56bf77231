import type { Peer } from '../calls/peer.ts'
import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import type { Question } from './needs.ts'

/**
 * The client capabilities that a question needs and this client has not declared; undefined when it has.
 * @example const lacks = missingCapability(listRoots(), call.peer)
 */
export function missingCapability(question: Question, peer: Peer): JsonObject | undefined {
  const needed = neededCapability(question)
  const possible =
    peer.revision.questions.includes(question.method) &&
    isKnownMode(question, peer) &&
    isKnownForm(question, peer)
  return possible && declares(peer.capabilities, needed) ? undefined : needed
}

function neededCapability({ method, params }: Question): JsonObject {
  if (method === 'roots/list') return { roots: {} }
  if (method === 'elicitation/create') return { elicitation: { [String(params?.['mode'] ?? 'form')]: {} } }
  const tools = params?.['tools'] !== undefined || params?.['toolChoice'] !== undefined
  return { sampling: tools ? { tools: {} } : {} }
}

function isKnownMode({ params }: Question, peer: Peer): boolean {
  const mode = params?.['mode']
  return mode === undefined || peer.revision.elicitation.some((known) => known === mode)
}

/** A form that lets the user choose several values cannot be put in older words. */
function isKnownForm({ params }: Question, peer: Peer): boolean {
  const schema = params?.['requestedSchema']
  const fields = isObject(schema) && isObject(schema['properties']) ? Object.values(schema['properties']) : []
  return peer.revision.formLists || !fields.some((field) => isObject(field) && field['type'] === 'array')
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
