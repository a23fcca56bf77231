import {
  type Id,
  isObject,
  type JsonObject,
  type Notification,
  parse,
  type Response,
} from '../../kernel/index.ts'
import type { LostRequest } from './child-feed.ts'
import { ChildQuestions } from './child-questions.ts'
import { errorAnswer } from './error-answer.ts'
import { HostMemory } from './host-memory.ts'
import type { DevNotice, Seat } from './keeper.ts'
import { Replay } from './replay.ts'
import { readOutput, type Said } from './said.ts'
import type { HostSpeaker } from './speaker.ts'
import { requestsIn, Underway } from './underway.ts'
import {
  type HeldLine,
  holdQuestions,
  holdRequest,
  type IncomingBatch,
  idsIn,
  WaitingRoom,
} from './waiting-room.ts'

interface PipeOptions {
  readonly send: (line: string) => void
  /** Told what a child wrote that is no message: something in it writes past the server. */
  readonly sayStray: (text: string) => void
  /** Told of requests that a child will not answer. */
  readonly lose?: (child: HostSpeaker, lost: Omit<LostRequest, 'transport'>) => void
}

/** One client at the end of a pipe, and whichever child answers it: knows whose every id is. */
export class Pipe implements Seat {
  readonly #options: PipeOptions
  readonly #remembered = new HostMemory()
  readonly #questions = new ChildQuestions()
  readonly #underway = new Underway()
  readonly #waiting = new WaitingRoom(() => this.#giveUpWaiting())
  readonly #children = new Set<HostSpeaker>()
  #current: HostSpeaker | undefined
  #replay: Replay | undefined
  #isHeld = true
  #whyDown = 'it has not started yet'

  constructor(options: PipeOptions) {
    this.#options = options
  }

  /** A line of the client's. */
  hear(line: string): void {
    const incoming = parse(line)
    if (incoming.kind === 'response') return this.#answer(incoming)
    if (incoming.kind === 'notification') return this.#notify(line, incoming)
    if (incoming.kind === 'batch') return this.#hearBatch(line, incoming)
    this.#ask({ line, incoming })
  }

  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
    if (this.#current === undefined) return
    for (const held of this.#waiting.empty()) this.#hand(this.#current, held)
  }

  async move(next: HostSpeaker): Promise<void> {
    this.#listenTo(next)
    const before = this.#current
    if (before !== undefined) await this.#underway.introduced(before)
    const replay = new Replay(next, this.#remembered)
    this.#replay = replay
    await replay.run()
    this.#replay = undefined
    if (next.isGone)
      throw new Error(`it ended when it was told what the host had agreed on: ${next.lastWords}`)
    for (const request of this.#remembered.listening) this.#underway.add(next, request)
    this.#current = next
    if (before !== undefined) this.#introduceAgain(before)
  }

  settle(child: HostSpeaker): Promise<void> {
    return this.#underway.idle(child)
  }

  lost(child: HostSpeaker, why: string): void {
    this.#children.delete(child)
    this.#replay?.lost(child)
    if (child === this.#current) {
      this.#current = undefined
      this.#whyDown = why
    }
    this.#introduceAgain(child)
    this.#failAll(child, why)
    for (const requestId of this.#questions.lose(child))
      this.#say({ method: 'notifications/cancelled', params: { requestId, reason: why } })
  }

  /** Clients that have said who they are hear of what went wrong, from the level on that they want. */
  note(notice: DevNotice): void {
    if (notice.level === 'info' || !this.#remembered.wants(notice.level)) return
    this.#say({ method: 'notifications/message', params: { ...notice } })
  }

  /** Whether something that the client has said waits for new code. */
  get waits(): boolean {
    return this.#waiting.size > 0
  }

  /** The client reads no faster. */
  pause(): void {
    for (const { output } of this.#children) output.pause()
  }

  resume(): void {
    for (const { output } of this.#children) output.resume()
  }

  #ask(held: HeldLine): void {
    if (!this.#isHeld && this.#current !== undefined) return this.#hand(this.#current, held)
    if (this.#waiting.isFull) return this.#refuse(held, 'too many requests wait for it')
    this.#waiting.add(held)
  }

  #hand(child: HostSpeaker, { line, incoming }: HeldLine): void {
    for (const request of requestsIn(incoming)) {
      this.#underway.add(child, request)
      this.#remembered.asked(request)
    }
    if (incoming.kind === 'notification') this.#remembered.told(incoming.method)
    child.input.write(`${line}\n`)
  }

  /** Whoever introduces itself has agreed on nothing yet, and can be answered by the next child. */
  #introduceAgain(child: HostSpeaker): void {
    for (const request of this.#underway.takeIntroductions(child)) this.#ask(holdRequest(request))
  }

  /** New code takes too long: the old one answers, where there is one. */
  #giveUpWaiting(): void {
    if (this.#current !== undefined) return this.release()
    for (const held of this.#waiting.empty()) this.#refuse(held, this.#whyDown)
  }

  /** Answers to questions go to whoever asked; the rest goes on together. */
  #hearBatch(line: string, batch: IncomingBatch): void {
    for (const entry of batch.entries) if (entry.kind === 'response') this.#answer(entry)
    const rest = holdQuestions(line, batch)
    if (rest !== undefined) this.#ask(rest)
  }

  #answer({ id, result, error }: Response): void {
    const question = this.#questions.take(id)
    if (question === undefined) return
    const answer = error === undefined ? { result } : { error }
    question.child.input.write(`${JSON.stringify({ jsonrpc: '2.0', id: question.id, ...answer })}\n`)
  }

  #notify(line: string, { method, params }: Notification): void {
    if (method !== 'notifications/cancelled') return this.#tell(line, method)
    const id = params?.['requestId'] as Id // Any other value finds no request.
    if (this.#waiting.callOff(id)) return
    this.#remembered.cancelled(id)
    const owner = this.#underway.ownerOf(id)
    owner?.input.write(`${line}\n`)
    if (owner !== undefined) this.#underway.take(owner, id)
  }

  /** What is said after a request that waits, waits behind it. */
  #tell(line: string, method: string): void {
    const held: HeldLine = { line, incoming: { kind: 'notification', method, params: undefined } }
    if (this.#current === undefined || this.#waiting.size > 0) this.#ask(held)
    else this.#hand(this.#current, held)
  }

  #listenTo(child: HostSpeaker): void {
    this.#children.add(child)
    readOutput(child.output, (said) => this.#hearChild(child, said))
  }

  /** A line of a child's. */
  #hearChild(child: HostSpeaker, { stray, message, said }: Said): void {
    if (stray !== '') this.#options.sayStray(stray)
    if (Array.isArray(said)) {
      const wanted = said.filter((one) => isObject(one) && this.#isAnswer(child, one))
      if (wanted.length > 0) this.#options.send(JSON.stringify(wanted))
    } else if (isObject(said)) this.#hearMessage(child, said, message)
  }

  #hearMessage(child: HostSpeaker, said: JsonObject, line: string): void {
    const { id, method, params } = said as { id?: Id; method?: string; params?: JsonObject }
    if (method === undefined) {
      if (this.#isAnswer(child, said)) this.#options.send(line)
    } else if (id !== undefined)
      this.#options.send(JSON.stringify({ ...said, id: this.#questions.add(child, id) }))
    else if (method === 'notifications/cancelled') this.#takeBack(child, params)
    else if (this.#isWanted(child, method, params)) this.#options.send(line)
  }

  /** Whether an answer of a child's is one that the client waits for. */
  #isAnswer(child: HostSpeaker, { id, error }: JsonObject): boolean {
    if (this.#replay?.answered(child, id) === true) return false
    if (this.#underway.ownerOf(id as Id) === undefined) return child === this.#current // It could not be read.
    const request = this.#underway.take(child, id as Id)
    if (request !== undefined) this.#remembered.answered(request, error !== undefined)
    return request !== undefined
  }

  /** Of changes only whoever serves can tell. */
  #isWanted(child: HostSpeaker, method: string, params: JsonObject | undefined): boolean {
    if (this.#replay?.heard(child, method, params) === true) return false
    return child === this.#current || !CHANGE.test(method)
  }

  #takeBack(child: HostSpeaker, params: JsonObject = {}): void {
    const requestId = this.#questions.takeBack(child, params['requestId'])
    if (requestId !== undefined)
      this.#say({ method: 'notifications/cancelled', params: { ...params, requestId } })
  }

  /** What a client only listens by goes on with the next child. */
  #failAll(child: HostSpeaker, why: string): void {
    const error = `The call was not answered: ${why}`
    for (const { request, since } of this.#underway.of(child)) {
      const { id } = request
      if (this.#remembered.isListening(id)) continue
      this.#underway.take(child, id)
      this.#say(errorAnswer(id, error))
      this.#options.lose?.(child, { request, error, since })
    }
  }

  #refuse(held: HeldLine, why: string): void {
    for (const id of idsIn(held)) this.#say(errorAnswer(id, `The server is not running: ${why}`))
  }

  #say(message: JsonObject): void {
    this.#options.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  }
}

/** What says that something has changed, or belongs to a subscription. */
const CHANGE = /^notifications\/(?:\w+\/list_changed|resources\/updated|subscriptions\/\w+|tasks)$/
