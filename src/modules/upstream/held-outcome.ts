import { ClientError, type Reason } from '../../client/index.ts'
import {
  Fault,
  type FaultName,
  type Json,
  Needs,
  TaskElsewhere,
  Told,
  type WireError,
} from '../../kernel/index.ts'

/** What has come of a call on another node, as it travels. */
export type SentOutcome =
  | { readonly result: unknown }
  | { readonly questions: Needs['questions']; readonly state: Json | undefined }
  | { readonly task: Json; readonly ttlMs: number | null }
  | { readonly told: WireError; readonly logged: string }
  | {
      readonly fault: FaultName
      readonly message: string
      readonly data: unknown
      readonly logged: string
    }
  | { readonly reason: Reason; readonly message: string }
  | { readonly message: string }

export function packOutput(output: unknown): SentOutcome {
  if (output instanceof Needs) return { questions: output.questions, state: output.state }
  if (output instanceof TaskElsewhere) return { task: output.state, ttlMs: output.ttlMs }
  return { result: output }
}

export function packError(error: unknown): SentOutcome {
  if (error instanceof Told) return { told: error.wire, logged: error.logged }
  const { message } = error as Error
  if (error instanceof Fault) return { fault: error.fault, message, data: error.data, logged: error.logged }
  if (!(error instanceof ClientError)) return { message }
  return { reason: error.reason, message: error.details.brief ?? message }
}

/** Gives what was given there, and throws what was thrown. */
export function unpack(sent: SentOutcome): unknown {
  if ('result' in sent) return sent.result
  if ('questions' in sent)
    return new Needs(sent.questions, sent.state === undefined ? {} : { state: sent.state })
  if ('task' in sent) return new TaskElsewhere({ state: sent.task, ttlMs: sent.ttlMs, abandon: () => {} }) // It ends by its time.
  if ('told' in sent) throw new Told(sent.told, sent.logged)
  if ('fault' in sent) throw new Fault(sent.fault, sent.message, sent.data, undefined, sent.logged)
  throw 'reason' in sent ? new ClientError(sent.reason, sent.message) : new Error(sent.message)
}
