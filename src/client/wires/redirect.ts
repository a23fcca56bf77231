import { ClientError } from '../errors.ts'

const MAX_REDIRECTS = 3

/** Where a request has got to, by its server's own direction. */
export interface RedirectStep {
  readonly url: URL
  readonly moves: number
}

/** Where a server sends its clients on to, if they may go there. */
export function checkMove(to: string, { url, moves }: RedirectStep, status: number): RedirectStep {
  const refuse = (message: string) => new ClientError('refused', message, { status })
  if (!URL.canParse(to, url.href)) throw refuse(`${url.origin} sends its clients on to what is no address`)
  const next = new URL(to, url)
  if (next.origin !== url.origin)
    throw refuse(`${url.origin} sends its clients on to ${next.origin}: connect there`)
  if (moves === MAX_REDIRECTS) throw refuse(`${url.origin} sends its clients on and on`)
  return { url: next, moves: moves + 1 }
}
