import type { Fault } from '../kernel/index.ts'

/** A message that is not whole yet. */
export interface Arriving {
  /** There is no room for it: whoever waits for it is told so, and no more of it is read. */
  giveWay(error: Error): void
}

/** What arrives at several clients, where that may take no more than so much room. */
export interface Intake {
  /** So much of it has come; where there is no room for that, it or another gives way. */
  hold(arriving: Arriving, bytes: number): void
  /** Why a message that has come is not to be parsed, if it is not. */
  weigh(text: string): Fault | undefined
}

/** How long a message may be, and what all that are arriving may take. */
export interface MessageLimits {
  readonly maxMessageBytes: number
  readonly intake?: Intake | undefined
}
