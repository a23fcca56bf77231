import { refusal } from './answers.ts'
import type { HttpHeaders, Refusal } from './exchange.ts'

/** Each piece costs us far more than its bytes, and nobody needs so many. */
export const MAX_PIECES = 16 * 1024

/** Why a body is not read to its end; what carries it may have headers to add. */
export function bodyRefusals(headers: HttpHeaders): {
  readonly tooLarge: (limit: number) => Refusal
  readonly tooManyPieces: Refusal
  readonly turnedAway: Refusal
} {
  return {
    tooLarge: (limit) =>
      refusal(413, `Content too large: a body may have ${limit} bytes (--max-body)`, headers),
    tooManyPieces: refusal(
      400,
      `Bad request: the body comes in more than ${MAX_PIECES} pieces; send larger chunks`,
      headers,
    ),
    turnedAway: refusal(
      503,
      'Service unavailable: the request cannot be waited for any longer (--max-arriving)',
      {
        ...headers,
        'retry-after': '1',
      },
    ),
  }
}
