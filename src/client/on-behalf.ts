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
  /** What the server is told of why. */
  readonly reason?: (() => string | undefined) | undefined
  /** Who makes it, where its revision has every request say so. */
  readonly self: Saying
  /** What goes with it over HTTP, beside what goes with every request. */
  readonly headers?: HeaderMap | undefined
  /** Asked whenever it is sent over HTTP, since a server may have been replaced under its session. */
  readonly cleared?: Clearance | undefined
  /** Hears what the server tells while it is under way, unless that belongs to another one. */
  readonly onNotification: (notification: Notification) => void
  /** Called when the server lets go of the connection, so that whoever waits may be let go as well. */
  readonly onLeftOpen?: (() => void) | undefined
  /** For whom, where what is asked may be for another. */
  readonly whom?: (() => unknown) | undefined
  /** Answers what the server asks by requests of its own. */
  readonly onQuestion: (method: string, params: JsonObject, asked: Asked) => Promise<JsonObject>
}
