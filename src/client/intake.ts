import {
  type Fault,
  type Incoming,
  MAX_DEPTH,
  type ParseLimits,
  parse,
  refuseUnparsed,
} from '../kernel/index.ts'

/** A message that is not whole yet. */
export interface Arriving {
  /** There is no room for it: whoever waits for it is told so, and no more of it is read. */
  giveWay(error: Error): void
}

/** What arrives at several clients, where that may take no more than so much room. */
export interface Intake {
  /** How many messages may come at once; whoever weighs a message has counted its levels. */
  readonly parsing: ParseLimits
  /** So much of it has come; where there is no room for that, it or another gives way. */
  hold(arriving: Arriving, bytes: number): void
  /** Why a message that has come is not to be parsed, if it is not: for what it would take, or for its depth. */
  weigh(text: string): Fault | undefined
}

/** How long a message may be, and what all that are arriving may take. */
export interface MessageLimits {
  readonly maxMessageBytes: number
  readonly intake?: Pick<Intake, 'hold'> | undefined
}

/** Where nobody says otherwise. */
const UNSAID: ParseLimits = {
  maxNesting: MAX_DEPTH,
  maxBatchMessages: 1000,
  maxIdBytes: Number.POSITIVE_INFINITY,
}

/** Text to message; of what cannot be read, whatever tells whose answer it was to be. */
export function parseWithin(text: string, intake: Intake | undefined): Incoming {
  const fault = intake?.weigh(text)
  if (fault !== undefined) return refuseUnparsed(fault, text)
  const incoming = parse(text, undefined, intake?.parsing ?? UNSAID)
  const isUnread = incoming.kind === 'refused' && incoming.fault.fault === 'parseError'
  return isUnread ? refuseUnparsed(incoming.fault, text) : incoming
}
