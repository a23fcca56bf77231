import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import { printProblems, type Reading, type Validator } from '../ports/validator.ts'
import { describe } from '../words/describe.ts'
import type { Question } from './needs.ts'

const ACTIONS = ['accept', 'decline', 'cancel']

/** What is wrong with a client's answer to a question; undefined when nothing is. */
export async function wrongAnswer(
  answer: unknown,
  question: Question | undefined,
  validator: Validator,
): Promise<string | undefined> {
  if (!isObject(answer)) return `expected an object, got ${describe(answer)}`
  if (question === undefined) return undefined
  return CHECKS[question.method]?.(answer, question, validator)
}

/** A form without content that was accepted has been filled in with nothing. */
export function filledIn(answer: JsonObject, question: Question | undefined): JsonObject {
  const isForm = question?.params?.['requestedSchema'] !== undefined
  return isForm && answer['action'] === 'accept' && answer['content'] === undefined
    ? { ...answer, content: {} }
    : answer
}

type AnswerCheck = (
  answer: JsonObject,
  question: Question,
  validator: Validator,
) => string | undefined | Promise<string | undefined>

const CHECKS: { readonly [method: string]: AnswerCheck } = {
  'elicitation/create': wrongElicitation,
  'sampling/createMessage': (answer) => {
    const { role, content } = answer
    if (role !== 'user' && role !== 'assistant')
      return `role: expected user or assistant, got ${describe(role)}`
    return isObject(content) || Array.isArray(content)
      ? undefined
      : `content: expected a content block, got ${describe(content)}`
  },
  'roots/list': ({ roots }) =>
    Array.isArray(roots) ? undefined : `roots: expected an array, got ${describe(roots)}`,
}

async function wrongElicitation(
  answer: JsonObject,
  { params }: Question,
  validator: Validator,
): Promise<string | undefined> {
  const { action, content } = answer
  if (!ACTIONS.some((one) => one === action)) {
    return `action: expected one of ${ACTIONS.join(', ')}, got ${describe(action)}`
  }
  const schema = params?.['requestedSchema']
  if (action !== 'accept' || schema === undefined) return undefined
  const reading: Reading = await validator.shape(schema, 'input').read(content ?? {})
  return 'problems' in reading ? printProblems(reading.problems) : undefined
}
