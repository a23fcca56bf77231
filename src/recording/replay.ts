import { mask } from '../console/mask.ts'
import { inOrder } from '../contract/canonical.ts'
import { diffLines } from '../contract/line-diff.ts'
import { isObject, type JsonObject } from '../kernel/index.ts'
import { eachOf, type RecordedMessage } from './format.ts'
import { leaveOut } from './ignore.ts'
import { Handles } from './opaque.ts'

/** A server that is told what was recorded. */
export interface ReplayedServer {
  send(message: JsonObject | readonly JsonObject[]): Promise<void>
}

export interface ReplayOptions {
  /** How long an answer may take. */
  readonly timeoutMs: number
  readonly ignore: readonly (readonly string[])[]
  /** Told how many of the messages have passed. */
  readonly progress?: (done: number) => void
}

/** A message that is not what it was. */
export interface ReplayDifference {
  readonly name: string
  /** Lines of both, as a comparison of texts shows them. */
  readonly lines: readonly string[]
}

interface ExpectedMessage {
  readonly message: JsonObject
  heard?: JsonObject
  isGivenUp: boolean
}

/** One conversation of a recording, held again with a server that may have changed since. */
export class ReplayedConversation {
  readonly #options: ReplayOptions
  readonly #handles = new Handles()
  readonly #expected: ExpectedMessage[] = []
  #early: readonly JsonObject[] = []
  /** By what a question was called in the recording, what it is called now. */
  readonly #questions = new Map<unknown, unknown>()
  /** By the number of a request, what was asked for. */
  readonly #asked = new Map<unknown, string>()
  #wake = () => {}
  #hasEnded = false

  constructor(options: ReplayOptions) {
    this.#options = options
  }

  /** The server has said something. */
  hear(message: unknown): void {
    this.#early = [...this.#early, ...(Array.isArray(message) ? message : [message]).filter(isObject)]
    this.#wake()
  }

  /** Nothing more will be heard. */
  end(): void {
    this.#hasEnded = true
    this.#wake()
  }

  /** Says what was said, when what had been heard before it has been heard again. */
  async run(
    messages: readonly RecordedMessage[],
    server: ReplayedServer,
  ): Promise<readonly ReplayDifference[]> {
    for (const [at, { direction, message }] of messages.entries()) {
      if (direction === 'out')
        for (const one of eachOf(message)) this.#expected.push({ message: one, isGivenUp: false })
      else {
        await this.#catchUp()
        for (const one of eachOf(message))
          if (one['method'] !== undefined) this.#asked.set(one['id'], wishOf(one))
        const now = eachOf(message).map((one) => this.#handles.toNow(this.#renamed(one)))
        await server.send(Array.isArray(message) ? now : (now[0] ?? {}))
      }
      this.#options.progress?.(at + 1)
    }
    await this.#catchUp()
    return this.#compare()
  }

  /** The answer to a question bears the id that the question has now. */
  #renamed(message: JsonObject): JsonObject {
    const { id, method } = message
    return method === undefined && this.#questions.has(id)
      ? { ...message, id: this.#questions.get(id) }
      : message
  }

  /** Until all that is expected has come, or has not come in time. */
  async #catchUp(): Promise<void> {
    const until = Date.now() + this.#options.timeoutMs
    for (;;) {
      this.#match()
      const missing = this.#expected.filter(({ heard, isGivenUp }) => heard === undefined && !isGivenUp)
      if (missing.length === 0) return
      const left = this.#hasEnded ? 0 : until - Date.now()
      if (left <= 0) {
        for (const one of missing) one.isGivenUp = true
        return
      }
      await this.#somethingOr(left)
    }
  }

  #somethingOr(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #match(): void {
    this.#early = this.#early.filter((heard) => !this.#take(heard))
  }

  #take(heard: JsonObject): boolean {
    const expected = this.#expected.find((one) => one.heard === undefined && isAlike(one.message, heard))
    if (expected === undefined) return false
    const { message } = expected
    expected.heard = heard
    this.#handles.learn(message, heard)
    if (message['method'] !== undefined) this.#questions.set(message['id'], heard['id'])
    return true
  }

  #compare(): readonly ReplayDifference[] {
    const told = this.#expected.flatMap(({ message, heard }) => {
      const lines = this.#differ(message, heard)
      return lines.length === 0 ? [] : [{ name: this.#nameOf(message), lines }]
    })
    const more = this.#early.map((one) => ({
      name: `${this.#nameOf(one)}, which was not said before`,
      lines: this.#differ(undefined, one),
    }))
    return [...told, ...more]
  }

  #nameOf({ id, method }: JsonObject): string {
    if (method !== undefined) return String(method)
    const asked = this.#asked.get(id)
    return `the answer to #${String(id)}${asked === undefined ? '' : `, ${asked}`}`
  }

  #differ(then: JsonObject | undefined, now: JsonObject | undefined): readonly string[] {
    const [before, after] = [then, now && this.#asThen(now, then)].map((one) =>
      one ? print(leaveOut(one, this.#options.ignore)) : '',
    )
    if (before === after) return []
    return diffLines(before ?? '', after ?? '').filter(
      (line, at, all) => !line.startsWith(' ') || isNear(all, at),
    )
  }

  #asThen(now: JsonObject, then: JsonObject | undefined): JsonObject {
    const known = mask(this.#handles.toThen(now)) as JsonObject // An object stays one.
    return then?.['method'] !== undefined && then['id'] !== undefined ? { ...known, id: then['id'] } : known
  }
}

/** Lines beside a change tell where it is. */
function isNear(lines: readonly string[], at: number): boolean {
  return [at - 2, at - 1, at + 1, at + 2].some((near) => /^[-+]/.test(lines[near] ?? ''))
}

/** An answer is the answer to the same request; anything else is of the same method. */
function isAlike(then: JsonObject, now: JsonObject): boolean {
  if (then['method'] !== undefined)
    return then['method'] === now['method'] && (then['id'] === undefined) === (now['id'] === undefined)
  return now['method'] === undefined && then['id'] === now['id']
}

/** `tools/call add`, `resources/read memo://one`. */
function wishOf({ method, params }: JsonObject): string {
  const { name, uri } = isObject(params) ? params : {}
  return [method, name ?? uri].filter((word) => typeof word === 'string').join(' ')
}

function print(value: unknown): string {
  return JSON.stringify(inOrder(value), undefined, 2)
}
