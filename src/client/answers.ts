import type { ContentBlock, JsonObject } from '../kernel/index.ts'

/** A server asks the user to fill in a form, or to open a page. */
export interface ElicitParams extends JsonObject {
  readonly message: string
  readonly mode?: 'form' | 'url'
  /** What the form is to hold: a flat JSON Schema. */
  readonly requestedSchema?: JsonObject
  readonly url?: string
}

/** What the user answered to a form or a page. */
export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: { readonly [name: string]: string | number | boolean | readonly string[] }
}

interface SamplingMessage {
  readonly role: 'user' | 'assistant'
  readonly content: ContentBlock | readonly ContentBlock[]
}

/** A server asks the client's model. */
export interface SampleParams extends JsonObject {
  readonly messages: readonly SamplingMessage[]
  readonly maxTokens: number
  readonly systemPrompt?: string
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
}

/** What the client's model answered. */
export interface SampleResult extends SamplingMessage {
  readonly model: string
  readonly stopReason?: string
}

/** The folders that the client works in. */
export interface RootsResult {
  readonly roots: readonly { readonly uri: string; readonly name?: string }[]
}

/** What comes with a question. */
export interface Asked {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

type NowOrLater<Result> = Result | Promise<Result>

/** What the client says when a server asks, by method. Having an answer declares the capability. */
export interface Answers {
  readonly 'elicitation/create'?: (params: ElicitParams, asked: Asked) => NowOrLater<ElicitResult>
  readonly 'sampling/createMessage'?: (params: SampleParams, asked: Asked) => NowOrLater<SampleResult>
  readonly 'roots/list'?: (params: JsonObject, asked: Asked) => NowOrLater<RootsResult>
}

const CAPABILITIES: { readonly [method in keyof Answers]-?: JsonObject } = {
  'elicitation/create': { elicitation: {} },
  'sampling/createMessage': { sampling: {} },
  'roots/list': { roots: {} },
}

/** The methods that can be answered. */
export const ASKABLE = Object.keys(CAPABILITIES) as readonly (keyof Answers)[] // Object.keys does not say so itself.

/** What a client declares that it can do. */
export function capabilitiesOf(answers: Answers, more: JsonObject): JsonObject {
  const declared = ASKABLE.filter((method) => answers[method] !== undefined).map((one) => CAPABILITIES[one])
  return Object.assign({}, ...declared, more)
}
