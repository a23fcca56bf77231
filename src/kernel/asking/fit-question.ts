import { omit } from '../fitting/fields.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Question } from './needs.ts'

/** A question in the words of a revision. */
export function fitQuestion(question: Question, revision: Revision, newId: () => string): Question {
  const { method, params } = question
  if (method !== 'elicitation/create' || params === undefined) return question
  if (params['mode'] === 'url') return revision.elicitationId ? identified(method, params, newId()) : question
  // A revision with one mode only has no word for it.
  return revision.elicitation.length > 1 ? question : { method, params: omit(params, ['mode']) }
}

function identified(method: string, params: JsonObject, elicitationId: string): Question {
  return { method, params: { elicitationId, ...params } }
}
