import {
  type Call,
  Fault,
  type FaultName,
  type Handler,
  isTurnedAway,
  type Middleware,
  type Result,
  type ToolWatch,
  toWire,
} from '../../kernel/index.ts'
import { type CallFollower, followCall } from './follow-call.ts'
import { flagNamedIn } from './named-flag.ts'
import type { Recording } from './options.ts'
import {
  type CallEnding,
  type CompletedRecord,
  explainFault,
  type InvokedRecord,
  LEVEL_OF_OUTCOME,
  toMicros,
} from './records.ts'
import { printRedacted } from './redact.ts'
import { describeCall, type Subject } from './subject.ts'

/** Tells of every call when it is received, and when it is completed. */
export function recordCalls(recording: Recording): Middleware {
  return (call, next) => new RecordedCall(call, recording).run(next)
}

class RecordedCall implements ToolWatch, CallFollower {
  readonly #call: Call
  readonly #recording: Recording
  readonly #received: number
  #subject: Subject | undefined
  /** Whoever else wants to know when the tool works. */
  #others: ToolWatch | undefined
  #toolBegan: number | undefined
  #toolEnded: number | undefined
  #denied: CompletedRecord['denied']

  constructor(call: Call, recording: Recording) {
    this.#call = call
    this.#recording = recording
    this.#received = recording.clock.ticks()
  }

  run(next: Handler): Result | Promise<Result> {
    const { sinks, clock } = this.#recording
    if (sinks.wants('debug')) {
      sinks.tell([{ kind: 'received', time: clock.now(), ...this.#describe() }], this.#call)
    }
    this.#others = this.#call.toolWatch
    this.#call.toolWatch = this
    return followCall(this.#call, next, this)
  }

  toolBegan(): void {
    this.#others?.toolBegan()
    this.#toolBegan ??= this.#recording.clock.ticks()
  }

  toolEnded(): void {
    this.#others?.toolEnded()
    this.#toolEnded ??= this.#recording.clock.ticks()
  }

  succeeded(result: Result): void {
    const failed = result['isError'] === true
    this.#complete(failed ? { outcome: 'tool_error', flag: flagNamedIn(result) } : OK, result)
  }

  failed(error: unknown): void {
    const { peer, server } = this.#call
    const { code } = toWire(error, peer.revision.codes, server.dialect.codes)
    const why = explainFault(error, this.#recording.recordArguments)
    this.#denied = deniedBy(this.#call, error)
    this.#complete({ outcome: 'error', code, ...why }, undefined)
  }

  cancelled(): void {
    this.#complete(CANCELLED, undefined)
  }

  #complete(ending: CallEnding, result: Result | undefined): void {
    const { sinks, clock, recordArguments } = this.#recording
    if (!sinks.wants(LEVEL_OF_OUTCOME[ending.outcome])) return
    const time = clock.now()
    const ticks = clock.ticks()
    const subject = this.#describe()
    const completed: CompletedRecord = {
      kind: 'completed',
      time,
      ...subject,
      durationMs: toMicros(ticks - this.#received),
      ...ending,
      protocol: protocolOf(this.#call),
      ...(this.#denied !== undefined && { denied: this.#denied }),
    }
    const { id, tool } = subject
    if (tool === undefined || this.#toolBegan === undefined) return sinks.tell([completed], this.#call)
    const invoked: InvokedRecord = {
      kind: 'invoked',
      time,
      id,
      tool,
      durationMs: toMicros((this.#toolEnded ?? ticks) - this.#toolBegan),
      ...ending,
      ...(recordArguments ? contentOf(this.#call, result) : NO_CONTENT),
    }
    sinks.tell([invoked, completed], this.#call)
  }

  #describe(): Subject {
    this.#subject ??= describeCall(this.#call, this.#toolBegan !== undefined)
    return this.#subject
  }
}

const DENIALS: ReadonlySet<string> = new Set<FaultName>(['insufficientScope', 'rateLimited'])

function deniedBy(call: Call, error: unknown): CompletedRecord['denied'] {
  if (isTurnedAway(call)) return 'told'
  return error instanceof Fault && DENIALS.has(error.fault) ? 'here' : undefined
}

const OK: CallEnding = { outcome: 'ok' }
const CANCELLED: CallEnding = { outcome: 'cancelled' }

const NO_CONTENT = { arguments: undefined, result: undefined }

function contentOf(
  { params }: Call,
  result: Result | undefined,
): Pick<InvokedRecord, 'arguments' | 'result'> {
  return { arguments: printRedacted(params?.['arguments']), result: printRedacted(result) }
}

/** A handshake settles it only when it succeeds. */
function protocolOf({ peer, link }: Call): string | undefined {
  return peer.revision.opening === 'every-request' ? peer.revision.id : link.peer?.revision.id
}
