/** Keys and issuers that somebody on the way could change prove nothing; on this machine there is no way. */
export function checkUrl(text: string, name: string): URL {
  if (!URL.canParse(text)) throw new TypeError(`${name}: expected a URL`)
  const url = new URL(text)
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return url
  throw new TypeError(`${name}: expected a URL with https, got ${url.protocol}//${url.host}`)
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
