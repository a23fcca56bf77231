import type { Audience } from './audience.ts'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds since some moment; they never go back. */
  ticks(): number
}

/** What all that is told has in common. */
export interface Setting {
  readonly audience: Audience
  readonly recordArguments: boolean
  /** Whether what crashed is told in the words of the error. */
  readonly errorMessages: 'told' | 'withheld'
  readonly clock: Clock
}

/** More digits than a clock can mean only make lines longer. */
export function toMicros(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}
