import type {
  Annotations,
  ContentBlock,
  Icon,
  JsonObject,
  PromptArgument,
  PromptMessage,
  ResourceContents,
  ToolAnnotations,
} from '../kernel/index.ts'
import { cut, describe, isObject } from '../kernel/index.ts'
import { ClientError } from './errors.ts'

interface Listed extends JsonObject {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly icons?: readonly Icon[]
  readonly _meta?: JsonObject
}

/** A tool as a server lists it. */
export interface Tool extends Listed {
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: ToolAnnotations
}

/** A resource, as the server lists it. */
export interface Resource extends Listed {
  readonly uri: string
  readonly mimeType?: string
  readonly size?: number
  readonly annotations?: Annotations
}

/** A template of resources, as the server lists it. */
export interface ResourceTemplate extends Listed {
  readonly uriTemplate: string
  readonly mimeType?: string
  readonly annotations?: Annotations
}

/** A prompt, as the server lists it. */
export interface Prompt extends Listed {
  readonly arguments?: readonly PromptArgument[]
}

/** What a tool answered. */
export interface CallToolResult extends JsonObject {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  /** Whether the tool failed, or was called with arguments that do not fit. */
  readonly isError?: boolean
}

/** What stands behind a URI. */
export interface ReadResult extends JsonObject {
  readonly contents: readonly ResourceContents[]
}

/** The messages that a prompt makes. */
export interface PromptResult extends JsonObject {
  readonly description?: string
  readonly messages: readonly PromptMessage[]
}

/** What an argument can be completed to. */
export interface Completion extends JsonObject {
  readonly values: readonly string[]
  readonly total?: number
  readonly hasMore?: boolean
}

/** What a result must have, by the method it answers: a list of objects that have these strings. */
const LISTS = {
  'tools/list': { key: 'tools', strings: ['name'] },
  'resources/list': { key: 'resources', strings: ['uri', 'name'] },
  'resources/templates/list': { key: 'resourceTemplates', strings: ['uriTemplate', 'name'] },
  'prompts/list': { key: 'prompts', strings: ['name'] },
  'tasks/list': { key: 'tasks', strings: ['taskId', 'status'] },
  'tools/call': { key: 'content', strings: ['type'] },
  'resources/read': { key: 'contents', strings: ['uri'] },
  'prompts/get': { key: 'messages', strings: ['role'] },
} as const

export type ListMethod = keyof typeof LISTS

/** The list in a result; a server that gives something else is told of here, and not where it would be used. */
export function checkList(method: ListMethod, result: JsonObject): readonly JsonObject[] {
  const { key, strings } = LISTS[method]
  const list = result[key]
  if (!Array.isArray(list)) throw nonsense(method, `${key}: expected an array`, list)
  for (const [index, one] of list.entries()) {
    const where = `${key}[${index}]`
    if (!isObject(one)) throw nonsense(method, `${where}: expected an object`, one)
    const missing = strings.find((name) => typeof one[name] !== 'string')
    if (missing !== undefined) throw nonsense(method, `${where}.${missing}: expected a string`, one[missing])
  }
  return list
}

/** A whole result, whose list has been looked at. */
export function checkResult<Type extends JsonObject>(method: ListMethod, result: JsonObject): Type {
  checkList(method, result)
  return result as Type // The rest of it is the server's word.
}

export function nonsense(method: string, wrong: string, got: unknown): ClientError {
  return new ClientError(
    'nonsense',
    `The server answered ${method} with no result: ${wrong}, got ${describe(got)}`,
  )
}

/** A result, unless it asks for more at once than anybody would answer, or what is no question. */
export function checkQuestions(result: JsonObject, most: number): JsonObject {
  const { inputRequests } = result
  if (!isObject(inputRequests)) return result
  const asked = Object.entries(inputRequests)
  if (asked.length > most)
    throw new ClientError(
      'too-much',
      `The server asks ${asked.length} questions at once; maxQuestions is ${most}`,
    )
  for (const [key, question] of asked) checkQuestion(cut(key, 40), question)
  return result
}

function checkQuestion(key: string, question: unknown): void {
  const { method, params = {} } = isObject(question) ? question : {}
  if (typeof method === 'string' && isObject(params)) return
  throw new ClientError(
    'nonsense',
    `The server asks what is no question: inputRequests.${key}: expected { method, params }, got ${describe(question)}`,
  )
}
