/** More than any server has to say here. */
const MOST = 4096

/** A scheme, which stands at the beginning or after a comma, or a parameter of the one before it. */
const PART = /(?:(^|,)\s{0,8}|)([\w-]+)(?:\s{0,8}=\s{0,8}(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/g

/** The parameters of a Bearer challenge (RFC 9110, 11.6.1), whatever other challenges stand beside it. */
export function parseChallenge(header: string): { readonly [name: string]: string } {
  const found = new Map<string, string>()
  let scheme = ''
  for (const [, begins, word = '', quoted, plain] of header.slice(0, MOST).matchAll(PART)) {
    const name = word.toLowerCase()
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain
    if (value === undefined && begins !== undefined) scheme = name
    else if (value !== undefined && scheme === 'bearer') found.set(name, value)
  }
  return Object.fromEntries(found)
}
