/** Every row of the list of messages is as high as any other, so that where it stands can be computed. */
export const ROW_HEIGHT = 28

const BEYOND = 6

interface Looked {
  readonly top: number
  readonly height: number
  readonly count: number
}

/** The rows that can be seen, and a few beyond. */
export function firstVisible({ top, height, count }: Looked): { readonly from: number; readonly to: number } {
  const first = Math.floor(top / ROW_HEIGHT) - BEYOND
  const many = Math.ceil(height / ROW_HEIGHT) + 2 * BEYOND
  const from = Math.max(0, Math.min(first, count - many))
  return { from, to: Math.min(count, from + many) }
}
