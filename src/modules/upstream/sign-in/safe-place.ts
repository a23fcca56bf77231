import { describe } from '../../../kernel/index.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether nobody on the way can listen or answer: on this machine there is no way. */
function isSafe(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url))
}

function isLocal(url: URL): boolean {
  return LOOPBACK.test(url.hostname)
}

/** Who has named a place, and the server for which one signs in there. */
export interface PlaceNamed {
  readonly by: string
  readonly resource: URL
}

/** A place that others have named, where something may be asked for or opened to sign in; throws why it may not. */
export function safePlace(place: unknown, { by, resource }: PlaceNamed): URL {
  if (typeof place !== 'string' || !URL.canParse(place))
    throw new Error(`${by}: ${describe(place)} is no address: expected https`)
  const url = new URL(place)
  const shown = url.origin === 'null' ? describe(place) : url.origin
  if (!isSafe(url)) throw new Error(`${by}: ${shown} is no safe place to sign in: expected https`)
  if (url.username !== '' || url.password !== '')
    throw new Error(`${by}: an address at ${shown} has a user in it: expected one without`)
  if (isLocal(url) && !isLocal(resource))
    throw new Error(`${by}: ${resource.origin} sends you to ${shown} to sign in, which is your own machine`)
  return url
}
