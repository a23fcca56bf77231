import type { ContentBlock } from '../definitions/content.ts'
import { fitBlocks } from '../fitting/content.ts'
import { omit } from '../fitting/fields.ts'
import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Question } from './needs.ts'

/** A question in the words of a revision. */
export function fitQuestion(question: Question, revision: Revision, newId: () => string): Question {
  const { method, params } = question
  if (params === undefined) return question
  if (method === 'sampling/createMessage') return { method, params: fitSampling(params, revision) }
  if (method !== 'elicitation/create') return question
  return {
    method,
    params: params['mode'] === 'url' ? fitPage(params, revision, newId) : fitForm(params, revision),
  }
}

function fitPage(params: JsonObject, revision: Revision, newId: () => string): JsonObject {
  return revision.elicitationId ? { elicitationId: newId(), ...params } : omit(params, ['elicitationId'])
}

/** A revision with one mode only has no word for it. */
function fitForm(params: JsonObject, revision: Revision): JsonObject {
  const named = revision.elicitation.length > 1 ? params : omit(params, ['mode'])
  const schema = named['requestedSchema']
  if (revision.formLists || !isObject(schema) || !isObject(schema['properties'])) return named
  const properties = Object.entries(schema['properties']).map(([name, field]) => [name, fitChoice(field)])
  return { ...named, requestedSchema: { ...schema, properties: Object.fromEntries(properties) } }
}

/** Choices with titles were once two lists side by side. */
function fitChoice(field: unknown): unknown {
  if (!isObject(field) || !Array.isArray(field['oneOf'])) return field
  const choices = field['oneOf'].filter(isObject)
  return {
    ...omit(field, ['oneOf']),
    enum: choices.map((choice) => choice['const']),
    enumNames: choices.map((choice) => choice['title']),
  }
}

function fitSampling(params: JsonObject, revision: Revision): JsonObject {
  const { messages } = params
  return Array.isArray(messages)
    ? { ...params, messages: messages.flatMap((one) => fitMessage(one, revision)) }
    : params
}

/** Where a message has one block, several blocks are several messages. */
function fitMessage(message: unknown, revision: Revision): unknown[] {
  if (!isObject(message)) return [message]
  const { content } = message
  const blocks: readonly ContentBlock[] = Array.isArray(content) ? content : [content]
  const fitted = fitBlocks(blocks, revision)
  if (!Array.isArray(content)) return [{ ...message, content: fitted[0] }]
  return revision.sampledBlocks
    ? [{ ...message, content: fitted }]
    : fitted.map((one) => ({ ...message, content: one }))
}
