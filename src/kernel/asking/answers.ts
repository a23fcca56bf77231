import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import { printProblems, type Reading, type Validator } from '../ports/validator.ts'
import { describe } from '../words/describe.ts'
import { Mistake } from '../words/mistake.ts'
import type { Question, Questions } from './needs.ts'

const ACTIONS = ['accept', 'decline', 'cancel']

/** What is wrong with a client's answer to a question; undefined when nothing is. */
export function wrongAnswer(
  answer: unknown,
  question: Question | undefined,
  validator: Validator,
): string | undefined | Promise<string | undefined> {
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

function wrongElicitation(
  answer: JsonObject,
  { params }: Question,
  validator: Validator,
): string | undefined | Promise<string | undefined> {
  const { action, content } = answer
  if (!ACTIONS.some((one) => one === action)) {
    return `action: expected one of ${ACTIONS.join(', ')}, got ${describe(action)}`
  }
  const schema = params?.['requestedSchema']
  if (action !== 'accept' || schema === undefined) return undefined
  const reading = validator.shape(schema, 'input').read(content ?? {})
  return reading instanceof Promise ? reading.then(problemsIn) : problemsIn(reading)
}

function problemsIn(reading: Reading): string | undefined {
  return 'problems' in reading ? printProblems(reading.problems) : undefined
}

/**
 * What was answered, or a TypeError where that is no answer to what is asked under its key now: a function that runs
 * again asks the same again, and one that asks something else needs another key for it.
 */
export function answersTo(questions: Questions, answers: JsonObject, validator: Validator): JsonObject {
  for (const [key, question] of Object.entries(questions)) {
    const wrong = wrongAnswer(answers[key], question, validator)
    if (wrong === undefined || wrong instanceof Promise) continue // Forms are JSON Schemas, which are checked at once.
    throw new Mistake(
      `call.ask: ${key} was asked with another form before, and what was answered does not fit this one: give each question a key of its own`,
    )
  }
  return answers
}
