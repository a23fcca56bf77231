import { ClientError } from '../errors.ts'

/** Where a stream wants its clients to post; not to another host, for what is posted is meant for this one. */
export function endpointOf(data: string, url: URL): URL {
  if (!URL.canParse(data, url.href)) throw new ClientError('nonsense', 'The stream did not say where to post')
  const endpoint = new URL(data, url)
  if (endpoint.origin === url.origin) return endpoint
  throw new ClientError('refused', `${url.origin} wants its clients to post to ${endpoint.origin}`)
}
