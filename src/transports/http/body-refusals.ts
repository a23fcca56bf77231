import { refusal } from './answers.ts'
import type { HttpHeaders, Refusal } from './exchange.ts'

/** However short they are, so many pieces may come; after that they have to be of this many bytes on average. */
const FREE_PIECES = 512
const SMALL_PIECE = 64

/** Each piece costs us far more than its bytes, and one read of a socket may bring ten thousand of them. */
export function areTooSmall(pieces: number, bytes: number): boolean {
  return pieces - FREE_PIECES > bytes / SMALL_PIECE
}

/** Why a body is not read to its end; what carries it may have headers to add. */
export function bodyRefusals(headers: HttpHeaders): {
  readonly tooLarge: (limit: number) => Refusal
  readonly tooSmallPieces: Refusal
  readonly turnedAway: Refusal
} {
  return {
    tooLarge: (limit) =>
      refusal(413, `Content too large: a body may have ${limit} bytes (--max-body)`, headers),
    tooSmallPieces: refusal(
      400,
      `Bad request: the body comes in too many small pieces; send chunks of ${SMALL_PIECE} bytes or more`,
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
