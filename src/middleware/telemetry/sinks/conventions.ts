import type { Carrier } from '../../../kernel/index.ts'
import type { CallEnding, CompletedRecord, StoredRecord } from '../records.ts'
import { bounded, type Subject } from '../subject.ts'

// The names of OpenTelemetry's conventions for MCP, which are still in development and so kept here.

export const OPERATION_DURATION = 'mcp.server.operation.duration'
export const SESSION_DURATION = 'mcp.server.session.duration'

/** In seconds. */
export const DURATION_BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

export const STORE_DURATION = 'db.client.operation.duration'

/** In seconds, as the conventions for databases have them. */
export const STORE_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

export type Attributes = { [name: string]: string }

/** The name of a span: few words, since names that the server does not have are left out. */
export function spanNameOf(subject: Subject): string {
  const { method, tool, prompt } = bounded(subject)
  const target = subject.unknown === undefined ? (tool ?? prompt) : undefined
  return target === undefined ? method : `${method} ${target}`
}

/** What is known of a request when it comes. */
export function requestAttributes(subject: Subject, carrier: Carrier | undefined): Attributes {
  const attributes: Attributes = {
    'mcp.method.name': subject.method,
    'jsonrpc.request.id': String(subject.id),
  }
  addTarget(attributes, subject)
  add(attributes, 'mcp.resource.uri', subject.uri)
  add(attributes, 'mcp.session.id', carrier?.session)
  addNetwork(attributes, carrier)
  return attributes
}

/** What is known once it has been answered. */
export function endingAttributes(ending: CallEnding, protocol: string | undefined): Attributes {
  const attributes: Attributes = {}
  add(attributes, 'mcp.protocol.version', protocol)
  addError(attributes, ending)
  return attributes
}

/** What a duration is counted under: no ids, no addresses, and no name that only a client knows. */
export function operationAttributes(
  record: Subject & CallEnding & Pick<CompletedRecord, 'protocol'>,
  carrier: Carrier | undefined,
): Attributes {
  const names = bounded(record)
  const attributes: Attributes = { 'mcp.method.name': names.method }
  addTarget(attributes, names)
  add(attributes, 'mcp.protocol.version', record.protocol)
  addError(attributes, record)
  addNetwork(attributes, carrier)
  return attributes
}

/** The conventions for databases name systems as URLs do, but for one. */
export function storeAttributes({ operation, store, outcome }: StoredRecord): Attributes {
  const attributes: Attributes = { 'db.operation.name': operation }
  const scheme = store?.slice(0, store.indexOf(':')).replace(/^(redis)s$/, '$1')
  add(attributes, 'db.system.name', scheme === 'postgres' ? 'postgresql' : scheme)
  if (outcome === 'error') attributes['error.type'] = 'store'
  return attributes
}

export function sessionAttributes(protocol: string | undefined, carrier: Carrier | undefined): Attributes {
  const attributes: Attributes = {}
  add(attributes, 'mcp.protocol.version', protocol)
  addNetwork(attributes, carrier)
  return attributes
}

function add(attributes: Attributes, name: string, value: string | undefined): void {
  if (value !== undefined) attributes[name] = value
}

function addTarget(attributes: Attributes, { tool, prompt }: Pick<Subject, 'tool' | 'prompt'>): void {
  add(attributes, 'gen_ai.tool.name', tool)
  add(attributes, 'gen_ai.prompt.name', prompt)
  if (tool !== undefined) attributes['gen_ai.operation.name'] = 'execute_tool'
}

function addError(attributes: Attributes, ending: CallEnding): void {
  if (ending.outcome === 'tool_error') attributes['error.type'] = 'tool_error'
  if (ending.outcome !== 'error') return
  attributes['error.type'] = String(ending.code)
  attributes['rpc.response.status_code'] = String(ending.code)
}

function addNetwork(attributes: Attributes, carrier: Carrier | undefined): void {
  add(attributes, 'network.transport', carrier?.transport)
  add(attributes, 'network.protocol.name', carrier?.protocol)
}
