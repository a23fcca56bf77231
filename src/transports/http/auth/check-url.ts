/** Keys and issuers that somebody on the way could change prove nothing; on this machine there is no way. */
export function checkUrl(text: string, name: string): URL {
  if (!URL.canParse(text)) throw new TypeError(`${name}: expected a URL, such as https://login.example.com`)
  const url = new URL(text)
  const { protocol, host, hostname, pathname, username, password } = url
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname)))
    throw new TypeError(`${name}: expected a URL with https, got ${protocol}//${host}`)
  if (username === '' && password === '') return url
  const shown = `${protocol}//${host}${pathname}`
  throw new TypeError(`${name}: expected a URL without a user or a password in it, such as ${shown}`)
}

/** The same for what is a name, too, and is compared letter by letter (RFC 8414, RFC 9728). */
export function checkNameUrl(text: string, name: string): URL {
  const url = checkUrl(text, name)
  if (url.search === '' && url.hash === '') return url
  throw new TypeError(
    `${name}: expected a URL without query or fragment, such as ${url.origin}${url.pathname}`,
  )
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
