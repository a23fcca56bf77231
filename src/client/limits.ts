/** What a server can make grow at a client's, and how far. Past it the request fails and says which limit it was. */
export interface Limits {
  /** A message: a line of a child's stdout, a body, an event of a stream; also all pages of a list together. */
  readonly maxMessageBytes: number
  /** The pages of a list. */
  readonly maxPages: number
  /** The entries of a list. */
  readonly maxItems: number
  /** How often a request is made again because its result asked for something. */
  readonly maxRounds: number
  /** The questions that are being answered at once, for each call that is made for somebody else, and those of one round. */
  readonly maxQuestions: number
  /** How often in a row the stream of a request is opened again that gave nothing; after as many, that of a session is told of. */
  readonly maxReconnects: number
}

const MiB = 1024 * 1024

export const LIMITS: Limits = {
  maxMessageBytes: 16 * MiB,
  maxPages: 100,
  maxItems: 10_000,
  maxRounds: 20,
  maxQuestions: 16,
  maxReconnects: 5,
}
