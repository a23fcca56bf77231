import { anything, type Members, membersOf, oneOf, text } from '../check/members.ts'
import { isObject } from '../jsonrpc/message.ts'
import { describe } from '../words/describe.ts'
import { Mistake } from '../words/mistake.ts'
import type { NeedsOptions } from './needs.ts'

/** What an author's function asks, as it was given. */
export interface GivenQuestions {
  readonly questions: unknown
  readonly options: unknown
}

/** Throws a TypeError where an author's function asks what is no question, or what goes with it is wrong. */
export function checkQuestions(caller: 'call.ask' | 'needs', { questions, options }: GivenQuestions): void {
  const way = `${caller}({ answer: elicit({ message, schema }) })`
  if (!isObject(questions))
    throw new Mistake(
      `${caller}: questions: expected an object, got ${describe(questions)}. Each has a name: ${way}`,
    )
  if (typeof questions['method'] === 'string')
    throw new Mistake(`${caller}: questions: expected questions by their names, got one without: ${way}`)
  for (const [key, question] of Object.entries(questions)) {
    if (isObject(question) && typeof question['method'] === 'string') continue
    throw new Mistake(
      `${caller}: ${key}: expected a question of elicit(), elicitUrl(), sample() or listRoots(), got ${describe(question)}`,
    )
  }
  checkOptions(options, `${caller}: options`)
}

const checkOptions = membersOf({
  state: anything,
  before: oneOf('task'),
  done: text,
} satisfies Members<NeedsOptions>)
