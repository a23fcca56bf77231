/** The parameters of a Bearer challenge (RFC 9110, 11.6.1). */
export function parseChallenge(header: string): { readonly [name: string]: string } {
  const [, bearer = ''] = /\bbearer\s+(.*)$/i.exec(header) ?? []
  const found = bearer.matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)
  return Object.fromEntries(
    [...found].map(([, name = '', quoted, plain = '']) => [
      name.toLowerCase(),
      quoted?.replaceAll(/\\(.)/g, '$1') ?? plain,
    ]),
  )
}
