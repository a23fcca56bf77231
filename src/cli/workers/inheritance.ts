import { Bequest } from '../bequest.ts'

/** What the process that starts workers gives each of them. */
export interface Inheritance {
  /** What goes with the last of them. */
  readonly folder: string
  /** What they share, where nobody has named anything. */
  readonly store: string
  readonly secret: string
  /** The one they all listen on. */
  readonly port: number
}

export const INHERITANCE = new Bequest<Inheritance>('PERIGEE_WORKER')
