/** What may grow, and how far: everything that a peer can make larger by asking has a row here. */
export interface Budget {
  readonly limit: number
  readonly unit: 'bytes' | 'number'
  /** What is bounded, for operators. */
  readonly of: string
  /** What happens past it. */
  readonly past: string
}

export const KiB = 1024
export const MiB = 1024 * KiB

export function bytes(limit: number, of: string, past: string): Budget {
  return { limit, unit: 'bytes', of, past }
}

export function number(limit: number, of: string, past: string): Budget {
  return { limit, unit: 'number', of, past }
}
