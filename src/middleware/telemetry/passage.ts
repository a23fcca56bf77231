import {
  type Call,
  type Handler,
  type Outcome,
  type Result,
  type ToolWatch,
  toWire,
  watch,
} from '../../kernel/index.ts'
import { printDiscreetly } from './discretion.ts'
import {
  CANCELLED,
  describeRequest,
  type Ending,
  endingOf,
  LEVEL_OF_OUTCOME,
  messageOf,
  type Subject,
} from './records.ts'
import { type Setting, toMicros } from './setting.ts'

/** One call on its way, from when it was received until it is completed. */
export class Passage implements ToolWatch {
  readonly #call: Call
  readonly #setting: Setting
  readonly #started: number
  #subject: Subject | undefined
  #completed = false
  /** Whoever else wants to know when the tool works. */
  #others: ToolWatch | undefined
  #toolBegan: number | undefined
  #toolEnded: number | undefined

  constructor(call: Call, setting: Setting) {
    this.#call = call
    this.#setting = setting
    this.#started = setting.clock.ticks()
  }

  run(next: Handler): Result | Promise<Result> {
    const { audience, clock } = this.#setting
    if (audience.wants('debug')) {
      audience.tell({ kind: 'received', time: clock.now(), ...this.#describe() }, this.#call)
    }
    this.#others = this.#call.toolWatch
    this.#call.toolWatch = this
    const { around } = audience
    const inside: Handler = around === undefined ? next : (call) => around(call, next, this.#describe())
    const result = watch(this.#call, inside, (outcome) => this.#complete(outcome))
    // Nobody waits for a cancelled call, and it need not come to an end at all.
    if (result instanceof Promise) this.#call.whenCancelled(() => this.#tellCompleted(CANCELLED, undefined))
    return result
  }

  toolBegan(): void {
    this.#others?.toolBegan()
    this.#toolBegan ??= this.#setting.clock.ticks()
  }

  toolEnded(): void {
    this.#others?.toolEnded()
    this.#toolEnded ??= this.#setting.clock.ticks()
  }

  #complete(outcome: Outcome): void {
    if ('error' in outcome) this.#tellCompleted(this.#endingOfError(outcome.error), undefined)
    else this.#tellCompleted(endingOf(outcome.result), outcome.result)
  }

  #endingOfError(error: unknown): Ending {
    const { peer, server } = this.#call
    const { code } = toWire(error, peer.revision.codes, server.dialect.codes)
    return { outcome: 'error', code, message: messageOf(error, this.#setting.recordArguments) }
  }

  #tellCompleted(ending: Ending, result: Result | undefined): void {
    const { audience, clock } = this.#setting
    if (this.#completed) return
    this.#completed = true
    if (!audience.wants(LEVEL_OF_OUTCOME[ending.outcome])) return
    const subject = this.#describe()
    const time = clock.now()
    const ticks = clock.ticks()
    if (subject.tool !== undefined && this.#toolBegan !== undefined) {
      const { id, tool } = subject
      const content = this.#contentOf(result)
      const durationMs = toMicros((this.#toolEnded ?? ticks) - this.#toolBegan)
      audience.tell({ kind: 'invoked', time, id, tool, durationMs, ...ending, ...content }, this.#call)
    }
    const durationMs = toMicros(ticks - this.#started)
    const protocol = protocolOf(this.#call)
    audience.tell({ kind: 'completed', time, ...subject, durationMs, ...ending, protocol }, this.#call)
  }

  #contentOf(result: Result | undefined): { arguments: string | undefined; result: string | undefined } {
    if (!this.#setting.recordArguments) return NO_CONTENT
    return { arguments: printDiscreetly(this.#call.params?.['arguments']), result: printDiscreetly(result) }
  }

  #describe(): Subject {
    this.#subject ??= describeRequest(this.#call.request, this.#call)
    return this.#subject
  }
}

const NO_CONTENT = { arguments: undefined, result: undefined }

/** A handshake settles it only when it succeeds. */
function protocolOf({ peer, link }: Call): string | undefined {
  return peer.revision.opening === 'every-request' ? peer.revision.id : link.peer?.revision.id
}
