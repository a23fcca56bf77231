import type {
  Answers,
  Asked,
  ElicitParams,
  ElicitResult,
  RootsResult,
  SampleParams,
  SampleResult,
} from '../../src/client/answers.ts'
import { Store } from './store.ts'

interface Open<Kind extends string, Params, Answer> {
  readonly id: number
  readonly kind: Kind
  readonly params: Params
  /** Who asks: a revision, an app. */
  readonly from: string
  answer(answer: Answer): void
  refuse(reason: string): void
}

export interface AppRequest {
  readonly wants: 'call' | 'link'
  readonly name: string
  readonly args?: unknown
}

export type Question =
  | Open<'elicit', ElicitParams, ElicitResult>
  | Open<'sample', SampleParams, SampleResult>
  | Open<'roots', unknown, RootsResult>
  | Open<'app', AppRequest, true>

/** What somebody is asked just now, the oldest first. */
export const questions = new Store<readonly Question[]>([])

/** Past that, whoever asks is refused. */
const MOST_OPEN = 16

let last = 0

/** The client's answers: each is a question to the person in front of the page. */
export function answersFrom(from: string): Answers {
  return {
    'elicitation/create': (params, asked) => ask<ElicitResult>('elicit', { params, from, asked }),
    'sampling/createMessage': (params, asked) => ask<SampleResult>('sample', { params, from, asked }),
    'roots/list': (params, asked) => ask<RootsResult>('roots', { params, from, asked }),
  }
}

/** An app wants something of the page that only a person can allow. */
export function askForApp(params: AppRequest, from: string, signal: AbortSignal): Promise<true> {
  return ask<true>('app', { params, from, asked: { signal } })
}

interface Asking {
  readonly params: unknown
  readonly from: string
  readonly asked: Asked
}

function ask<Answer>(kind: Question['kind'], { params, from, asked }: Asking): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (questions.value.length >= MOST_OPEN) return reject(refusal('Too many questions are open'))
    const id = ++last
    const close = () => questions.change((open) => open.filter((one) => one.id !== id))
    const answer = (given: Answer) => {
      close()
      resolve(given)
    }
    const refuse = (reason: string) => {
      close()
      reject(refusal(reason))
    }
    const question = { id, kind, params, from, answer, refuse } as unknown as Question // One of them, by its kind.
    questions.change((open) => [...open, question])
    asked.signal.addEventListener('abort', () => refuse('Nobody waits for the answer any more'), {
      once: true,
    })
  })
}

/** -1 is a user who does not want to. */
function refusal(reason: string): Error {
  return Object.assign(new Error(reason), { code: -1 })
}
