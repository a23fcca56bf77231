import { listOf, number, object, text } from '../check/members.ts'
import type { ContentBlock } from '../definitions/content.ts'
import type { Json, JsonObject } from '../jsonrpc/message.ts'
import { checkForm } from './check-form.ts'
import { checkQuestions } from './check-questions.ts'

/** A function that never stops asking would keep its client busy for ever. */
export const MAX_ROUNDS = 20

/** A question to the client, as every revision words it. */
export interface Question<Answer = unknown> {
  readonly method: string
  readonly params?: JsonObject
  /** Never there: it says of what type the answer is. */
  readonly '~answer'?: Answer
}

/** Questions by the keys under which their answers are found. */
export interface Questions {
  readonly [key: string]: Question
}

/** The answers to questions, by the same keys. */
export type Answers<Asked extends Questions> = {
  readonly [Key in keyof Asked]: Asked[Key] extends Question<infer Answer> ? Answer : unknown
}

/** What the user made of a form. */
export type Elicited<Content> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel' }

/** What the client's model said: one block, or several. */
export interface Sampled {
  readonly role: 'user' | 'assistant'
  readonly content: ContentBlock | readonly ContentBlock[]
  readonly model: string
  readonly stopReason?: string
}

/** The folders a client works in. */
export interface Roots {
  readonly roots: readonly { readonly uri: string; readonly name?: string }[]
}

/**
 * What an author's function gives back when it cannot go on without the client's answers.
 * @example
 * const which = defineTool({
 *   name: 'which',
 *   description: 'Say where the client works',
 *   run: (_args, call) => {
 *     const asked = call.ask({ folders: listRoots() })
 *     return asked instanceof Needs ? asked : asked.folders.roots.map(({ uri }) => uri).join()
 *   },
 * })
 */
export class Needs {
  readonly questions: Questions
  readonly state: Json | undefined
  readonly before: 'task' | undefined
  readonly done: string | undefined

  constructor(questions: Questions, { state, before, done }: NeedsOptions = {}) {
    this.questions = questions
    this.state = state
    this.before = before
    this.done = done
  }
}

/** What goes with questions. */
export interface NeedsOptions {
  /** Kept, sealed, until the function is called again with the answers: `call.state`. */
  readonly state?: Json
  /** Asks before a tool that runs as a task becomes one, if its function has waited for nothing yet; see a tool's `ask`. */
  readonly before?: 'task'
  /** What has been done already, for whoever is told that no answer came. */
  readonly done?: string
}

/**
 * Asks the client. The function that returns this is called again from its start, with the answers in
 * `call.answers`, so up to here it must be safe to run twice.
 * @example const asked = needs({ folders: listRoots() }, { state: { step: 1 } })
 */
export function needs(questions: Questions, options: NeedsOptions = {}): Needs {
  checkQuestions('needs', { questions, options })
  return new Needs(questions, options)
}

/**
 * Asks the user to fill in a flat form; `schema` is an object schema of plain values.
 * @example const question = elicit({ message: 'Your name?', schema: { type: 'object', properties: { name: { type: 'string' } } } })
 */
export function elicit<Content = JsonObject>(form: {
  readonly message: string
  readonly schema: JsonObject
}): Question<Elicited<Content>> {
  text(form?.message, 'elicit: message')
  checkForm(form.schema)
  const params = { mode: 'form', message: form.message, requestedSchema: form.schema }
  return { method: 'elicitation/create', params }
}

/**
 * Asks the user to open a page; an accepted answer says that they will, not that they are done.
 * @example const asked = needs({ paid: elicitUrl({ message: 'Please pay', url: 'https://pay.example.com/42' }) })
 */
export function elicitUrl(page: { readonly message: string; readonly url: string }): Question<{
  readonly action: 'accept' | 'decline' | 'cancel'
}> {
  text(page?.message, 'elicitUrl: message')
  text(page.url, 'elicitUrl: url')
  return { method: 'elicitation/create', params: { mode: 'url', ...page } }
}

/** What the client's model is asked: `sampling/createMessage` of the newest revision. */
export interface SampleRequest extends JsonObject {
  readonly messages: readonly object[]
  readonly maxTokens: number
}

/**
 * Asks the client's model.
 * @example
 * const messages = [{ role: 'user', content: { type: 'text', text: 'Sum it up' } }]
 * const asked = needs({ summary: sample({ messages, maxTokens: 100 }) })
 */
export function sample(request: SampleRequest): Question<Sampled> {
  listOf(object)(request?.messages, 'sample: messages')
  number(request.maxTokens, 'sample: maxTokens')
  return { method: 'sampling/createMessage', params: request }
}

/**
 * Asks which folders the client works in.
 * @example const asked = needs({ folders: listRoots() })
 */
export function listRoots(): Question<Roots> {
  return { method: 'roots/list' }
}
