import { isObject, type JsonObject } from '../kernel/index.ts'
import { UnknownToolError } from './errors.ts'
import { type BenchRequest, callTool } from './messages.ts'
import type { BenchOptions } from './metrics.ts'

/** What the bare loop is asked. */
export const ECHO: BenchRequest = callTool('echo', { message: 'hello, world 0123456789' })

/**
 * What is asked again and again. A tool that nobody named is called thousands of times only if it says that it reads
 * and does nothing else.
 */
export function chooseAsked(tools: readonly unknown[], { tool, args, revision }: BenchOptions): BenchRequest {
  if (tool !== undefined) {
    if (tools.some((one) => isObject(one) && one['name'] === tool)) return callTool(tool, args ?? {})
    throw new UnknownToolError(`tool: the server has no tool ${tool}`)
  }
  const harmless = tools.filter(isObject).find((one) => isReadOnly(one) && needsNothing(one))
  if (harmless !== undefined) return callTool(String(harmless['name']), args ?? {})
  // The revisions without a handshake have no ping.
  return { method: revision.opening === 'handshake' ? 'ping' : 'tools/list', params: {} }
}

function isReadOnly({ annotations }: JsonObject): boolean {
  return isObject(annotations) && annotations['readOnlyHint'] === true
}

function needsNothing({ inputSchema }: JsonObject): boolean {
  const required = isObject(inputSchema) ? inputSchema['required'] : undefined
  return required === undefined || (Array.isArray(required) && required.length === 0)
}

export const LIST: BenchRequest = { method: 'tools/list', params: {} }

export function toolsOf(result: JsonObject): readonly unknown[] {
  const { tools } = result
  return Array.isArray(tools) ? tools : []
}

export function describeAsked({ method, params }: BenchRequest): string {
  return method === 'tools/call' ? `${method} ${String(params['name'])}` : method
}
