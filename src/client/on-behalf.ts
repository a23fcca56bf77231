import type { JsonObject } from '../kernel/index.ts'
import type { Asked } from './answers.ts'
import type { Saying } from './introduction.ts'
import type { Notification, RequestOptions } from './requesting.ts'
import type { Clearance, HeaderMap } from './wire.ts'
import type { StopSignal } from './wires/stop.ts'

/** A request that is made for somebody else: what comes for it is theirs, and so is what it says of its sender. */
export interface OnBehalf extends Omit<RequestOptions, 'signal'> {
  /** Gives the request up; the server is told. */
  readonly signal?: StopSignal | undefined
  /** Who makes it, where its revision has every request say so. */
  readonly self: Saying
  /** What goes with it over HTTP, beside what goes with every request. */
  readonly headers?: HeaderMap | undefined
  /** Asked before each time that it is sent to a server over HTTP, which may have been replaced under a session. */
  readonly cleared?: Clearance | undefined
  /** Hears what the server tells while it is under way, unless that belongs to another one. */
  readonly onNotification: (notification: Notification) => void
  /** Called when the server lets go of the connection, so that whoever waits may be let go as well. */
  readonly onLeftOpen?: (() => void) | undefined
  /** For whom: what does not say to which request it belongs is handed on where all that are open are for the same. */
  readonly whom?: (() => unknown) | undefined
  /** Answers what the server asks by requests of its own; `LeftUnanswered` has another request's asked. */
  readonly onQuestion: (method: string, params: JsonObject, asked: Asked) => Promise<JsonObject>
}

/** A request is over before somebody has answered what was asked by it. */
export class LeftUnanswered extends Error {
  constructor() {
    super('The call is over by which this was asked')
    this.name = 'LeftUnanswered'
  }
}
