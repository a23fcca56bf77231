import {
  type Check,
  describe,
  expecting,
  type Members,
  membersOf,
  oneOf,
  text,
} from '../../../kernel/index.ts'

/** How one signs in to an upstream, as far as that is not found out by asking it. */
export interface SignInSettings {
  /** How this program is known there: an id that was registered, or the `https` address of its document. */
  readonly clientId?: string
  readonly clientSecret?: string
  /** How it tells that secret, where it is registered for one way alone; the one that is taken there, unless said. */
  readonly tokenEndpointAuthMethod?: 'client_secret_basic' | 'client_secret_post'
  /** What it signs with instead of having a secret: a key in PEM (PKCS 8). */
  readonly privateKey?: string
  /** What to ask for, parted by spaces; what the server wants, unless said. */
  readonly scope?: string
  /** Where to sign in, of several places; the client is made known nowhere else. */
  readonly issuer?: string
  /** The port that the browser comes back to. */
  readonly callbackPort?: number
  /** `client_credentials` where no person signs in: the client then does so by itself, whenever it is asked to. */
  readonly grant?: 'authorization_code' | 'client_credentials'
}

const secret: Check = (value, where) => {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`${where}: expected a string, got ${value === '' ? 'nothing' : 'something else'}`) // It is not repeated.
}

const MEMBERS: Members<SignInSettings> = {
  clientId: text,
  clientSecret: secret,
  tokenEndpointAuthMethod: oneOf('client_secret_basic', 'client_secret_post'),
  privateKey: secret,
  scope: text,
  issuer: expecting('an address such as https://login.example.com', isIssuer),
  callbackPort: expecting('a port from 1 to 65535', isPort),
  grant: oneOf('authorization_code', 'client_credentials'),
}

function isIssuer(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value)
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= 65_535
}

const checkMembers = membersOf(MEMBERS)

/** Throws a TypeError that says what is wrong. */
export function checkSignIn(value: unknown, where: string): void {
  checkMembers(value, where)
  const { clientId, clientSecret, privateKey, grant } = value as SignInSettings // As just looked at.
  const proofs = Object.entries({ clientSecret, privateKey }).filter(([, one]) => one !== undefined)
  const [[proof] = []] = proofs
  if (proof !== undefined && clientId === undefined)
    throw new TypeError(`${where}: ${proof} is for a clientId, and there is none`)
  if (proofs.length > 1) throw new TypeError(`${where}: expected clientSecret or privateKey, got both`)
  const isAlone = grant === 'client_credentials'
  if (isAlone && proof === undefined)
    throw new TypeError(
      `${where}: a grant of client_credentials needs clientId and clientSecret or privateKey, got ${describe(Object.keys(value as object).join(', '))}`,
    )
  if (!isAlone && privateKey !== undefined)
    throw new TypeError(`${where}: privateKey is for "grant": "client_credentials"`)
}

/** Whether no person is needed. */
export function isAlone(settings: SignInSettings | undefined): boolean {
  return settings?.grant === 'client_credentials'
}
