import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

export interface Signing {
  readonly kid: string | undefined
  readonly alg: string
  readonly key: CryptoKey
}

/** What a token says; what is undefined is left out. */
export type Claims = { readonly [name: string]: unknown }

/** An authorization server on a port of its own: metadata, keys, and tokens as a test wants them. */
export class Issuer implements AsyncDisposable {
  readonly url: string
  /** Paths that answer with metadata; anything else is not found. */
  readonly metadataPaths: Set<string>
  /** What clients asked for, in order. */
  readonly asked: string[] = []
  /** Answers with 500 while it is true. */
  broken = false
  /** Answers with this instead of its keys, when it is set. */
  page: string | undefined
  readonly #server: Server
  readonly #keys: JWK[] = []
  #signing: Signing | undefined

  private constructor(server: Server, path: string) {
    const { port } = server.address() as AddressInfo
    this.#server = server
    this.url = `http://127.0.0.1:${port}${path}`
    this.metadataPaths = new Set([`/.well-known/oauth-authorization-server${path}`])
    server.on('request', (request, response) => {
      this.asked.push(request.url ?? '')
      const document = this.#find(request.url ?? '')
      const body =
        request.url === '/keys' ? (this.page ?? JSON.stringify(document)) : JSON.stringify(document)
      response.writeHead(this.broken ? 500 : document === undefined ? 404 : 200).end(body)
    })
  }

  static async open(path = ''): Promise<Issuer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = new Issuer(server, path)
    await issuer.rotate('key-1')
    return issuer
  }

  get jwksUri(): string {
    return `${new URL(this.url).origin}/keys`
  }

  get publicKeys(): readonly JWK[] {
    return this.#keys
  }

  /** Signs with a new key from now on; `unpublished` keeps it to itself. */
  async rotate(
    kid: string | undefined,
    alg = 'ES256',
    publishing: 'published' | 'unpublished' = 'published',
  ): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg)
    this.#signing = { kid, alg, key: privateKey }
    if (publishing === 'unpublished') return
    this.#keys.push({ ...(await exportJWK(publicKey)), alg, ...(kid !== undefined && { kid }) })
  }

  /** Makes the keys that were published so far unknown. */
  withdraw(): void {
    this.#keys.length = 0
  }

  /** A token for an hour, unless the claims say otherwise. */
  sign(claims: Claims, signing = this.#signing): Promise<string> {
    if (signing === undefined) throw new Error('There is no key to sign with')
    const { kid, alg, key } = signing
    return new SignJWT({ iss: this.url, sub: 'alice', exp: seconds() + 3600, ...claims })
      .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
      .sign(key)
  }

  #find(path: string): object | undefined {
    if (path === '/keys') return { keys: this.#keys }
    return this.metadataPaths.has(path) ? { issuer: this.url, jwks_uri: this.jwksUri } : undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

export function seconds(): number {
  return Math.floor(Date.now() / 1000)
}
