import { flagOf } from '../budgets/budgets.ts'
import { weigh, weighText } from '../budgets/weight.ts'
import { ownerOf } from '../callers/audience.ts'
import type { Link } from '../calls/link.ts'
import { plainFault, toWire } from '../faults.ts'
import type { Message, Notification, Refused, Reply, Request } from '../jsonrpc/message.ts'
import { refuse } from '../jsonrpc/parse.ts'
import { holdReply } from './letters.ts'
import { lackOfRoom } from './underway.ts'

type MaybeReply = Reply | undefined

/** A message that takes its turn among the calls. */
type RequestOrNotification = Request | Notification

interface WaitingMessage {
  readonly message: RequestOrNotification
  readonly weight: number
}

export interface RoundOptions {
  readonly link: Link
  readonly receiveOne: (message: Message | Refused) => MaybeReply | Promise<MaybeReply>
}

/** So many calls begin in one go; then whoever else is there has their turn. */
const CALLS_A_TURN = 8

/** An answer as small as this is always given. */
const SMALL = 4096

/** The messages of a batch on their way: a few calls at a time, and no more of them than their answers leave room for. */
export class Round {
  readonly #options: RoundOptions
  readonly #replies: MaybeReply[] = []
  /** What has to wait for its turn, in its order, by its place in the batch. */
  readonly #waiting = new Map<number, WaitingMessage>()
  readonly #owner: string
  #working = 0
  /** How many calls have begun in this turn. */
  #begun = 0
  #paused = false
  #whole: (() => void) | undefined

  constructor(options: RoundOptions) {
    this.#options = options
    this.#owner = ownerOf(options.link.principal)
  }

  /** The replies in the order of what they answer. */
  receive(entries: readonly (Message | Refused)[]): readonly MaybeReply[] | Promise<readonly MaybeReply[]> {
    for (const [place, entry] of entries.entries()) {
      if (this.#full && takesTurn(entry) && this.#mayWait(entry)) this.#wait(place, entry)
      else this.#begin(place, entry)
    }
    if (this.#isWhole) return this.#leave()
    this.#giveWay()
    return new Promise((resolve) => {
      this.#whole = () => resolve(this.#leave())
    })
  }

  get #full(): boolean {
    return this.#begun >= CALLS_A_TURN || this.#working >= this.#options.link.server.budgets.maxCallsPerBatch
  }

  get #isWhole(): boolean {
    return this.#working + this.#waiting.size === 0
  }

  /** One for which there is no room is refused as soon as it begins. */
  #mayWait(message: RequestOrNotification): boolean {
    const { link } = this.#options
    const { server } = link
    return message.kind === 'notification' || lackOfRoom(server, message, link) === undefined
  }

  #wait(place: number, message: RequestOrNotification): void {
    const { link } = this.#options
    const { server } = link
    const id = message.kind === 'request' ? message.id : undefined
    const waiting = { message, weight: weigh(id) + weigh(message.params) }
    server.underway.count(this.#owner, waiting.weight)
    this.#waiting.set(place, waiting)
    if (message.kind === 'notification') return
    link.wait(message.id, () => {
      this.#take(place, waiting)
      if (link.lost !== undefined) this.#begin(place, message)
      this.#goOn()
    })
  }

  #take(place: number, { message, weight }: WaitingMessage): void {
    this.#waiting.delete(place)
    this.#options.link.server.underway.remove(this.#owner, weight)
    if (message.kind === 'request') this.#options.link.begin(message.id)
  }

  #begin(place: number, entry: Message | Refused): void {
    const { receiveOne, link } = this.#options
    if (entry.kind === 'request') this.#begun++
    const reply = receiveOne(entry.kind === 'request' && this.#answeredEnough ? this.#refuse(entry) : entry)
    if (!(reply instanceof Promise)) return this.#settle(place, reply)
    link.server.usage.saw('maxCallsPerBatch', ++this.#working)
    void reply.then((settled) => {
      this.#working--
      this.#settle(place, settled)
      this.#goOn()
    })
  }

  /** What waits because so many have begun in this turn begins in the next. */
  #giveWay(): void {
    if (this.#begun < CALLS_A_TURN || this.#paused) return
    this.#paused = true
    this.#options.link.server.platform.after(0, () => {
      this.#paused = false
      this.#begun = 0
      this.#goOn()
    })
  }

  #goOn(): void {
    const { state, lost } = this.#options.link
    const closed = state === 'closed'
    for (const [place, waiting] of this.#waiting) {
      if (this.#full && !closed && lost === undefined) return this.#giveWay()
      this.#take(place, waiting)
      if (!closed) this.#begin(place, waiting.message)
    }
    if (this.#isWhole) this.#whole?.()
  }

  get #answeredEnough(): boolean {
    const { budgets, batched } = this.#options.link.server
    return batched.of(this) >= budgets.maxBatchAnswerBytes || batched.total >= budgets.maxBatchedBytes
  }

  #refuse(request: Request): Refused {
    const { budgets, batched } = this.#options.link.server
    const own = batched.of(this) >= budgets.maxBatchAnswerBytes
    const name = own ? 'maxBatchAnswerBytes' : 'maxBatchedBytes'
    const whose = own ? 'the other answers to this batch' : 'the answers to batches under way'
    const reason = `${whose} have more than ${budgets[name]} bytes (--${flagOf(name)}); this was not done`
    const fault = plainFault('rateLimited', `Too many requests: ${reason}, send it in a part of its own`)
    return { ...refuse(fault, request.id), request }
  }

  #settle(place: number, reply: MaybeReply): void {
    if (reply === undefined) return
    const { batched, budgets } = this.#options.link.server
    const { letters, unchanging } = holdReply(reply)
    const bytes = weighText(letters)
    const fits = bytes <= SMALL || batched.total + bytes <= budgets.maxBatchedBytes
    batched.count(this, fits ? bytes : 0)
    this.#replies[place] = fits ? unchanging : tooLarge(reply)
  }

  #leave(): readonly MaybeReply[] {
    this.#options.link.server.batched.remove(this)
    return this.#replies
  }
}

/** The rest overtakes what waits: it may be what calls at work wait for, or call one off that has not begun. */
function takesTurn(entry: Message | Refused): entry is RequestOrNotification {
  return entry.kind === 'request' || (entry.kind === 'notification' && entry.method === 'exit')
}

function tooLarge({ id }: Reply): Reply {
  const fault = plainFault(
    'rateLimited',
    'Too many requests: the answer has no room beside those to batches under way (--max-batched)',
  )
  return id === undefined
    ? { jsonrpc: '2.0', error: toWire(fault) }
    : { jsonrpc: '2.0', id, error: toWire(fault) }
}
