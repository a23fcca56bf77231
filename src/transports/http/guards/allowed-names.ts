// Names that no request could ever carry allow nobody, and whoever wrote them believes that they do.

/** Throws a TypeError unless a Host header could have this value: a name, and perhaps a port. */
export function checkHostName(where: string, name: string): void {
  if (/^(\[[\da-f:.]+\]|[^\s/:@?#*[\]]+)(:\d+)?$/i.test(name)) return
  const [, host] = /^\w+:\/\/([^\s/?#@]+)/.exec(name) ?? []
  const remedy = host === undefined ? '' : `: write ${host}`
  throw new TypeError(
    `${where}: expected a name such as mcp.example.com, or mcp.example.com:8443, got ${JSON.stringify(name)}${remedy}`,
  )
}

/** Throws a TypeError unless an Origin header could have this value: a scheme, a name, and nothing after it. */
export function checkOriginName(where: string, name: string): void {
  const own = originOf(name)
  if (own === name || name === 'null') return
  const remedy = own ?? originOf(`https://${name}`)
  throw new TypeError(
    `${where}: expected an origin such as https://app.example.com, got ${JSON.stringify(name)}${remedy === undefined ? '' : `: write ${remedy}`}`,
  )
}

/** As a browser would say it. Schemes that are none of the web's, such as an extension's, have no origin for `URL`. */
function originOf(text: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s*/?#]+/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, protocol, host } = new URL(text)
  return origin === 'null' ? `${protocol}//${host}` : origin
}
