import type { Fault } from '../kernel/index.ts'

/** What arrives at several clients, where that may take no more than so much room. */
export interface Intake {
  /** Whoever reads has so much of a message that is not whole yet; throws where there is no room for that. */
  hold(reader: object, bytes: number): void
  /** Why a message that has come is not to be parsed, if it is not. */
  weigh(text: string): Fault | undefined
}

/** How long a message may be, and what all that are arriving may take. */
export interface MessageLimits {
  readonly maxMessageBytes: number
  readonly intake?: Intake | undefined
}
