/** What an Authorization header has for us. */
export type Bearer =
  | { readonly kind: 'token'; readonly token: string }
  /** There is none, or it is of another scheme. */
  | { readonly kind: 'missing' }
  /** It wants to be a bearer token and is none, or there are two. */
  | { readonly kind: 'malformed' }

export function readBearer(authorization: string | undefined): Bearer {
  if (authorization === undefined || !/^bearer(?![^\s,])/i.test(authorization)) return { kind: 'missing' }
  const [, token] = /^bearer +([\x21-\x7e]+)$/i.exec(authorization) ?? []
  return token === undefined ? { kind: 'malformed' } : { kind: 'token', token }
}
