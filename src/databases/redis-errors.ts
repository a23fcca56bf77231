import { DatabaseError } from './database.ts'
import { TLS_REASONS } from './tls-errors.ts'

/** Codes of the network, and first words of what Redis says, that somebody can do something about. */
const REASONS: { readonly [code: string]: string } = {
  ...TLS_REASONS,
  ECONNREFUSED: 'cannot be reached: nothing listens there. Start the server, or check host and port',
  ECONNRESET: 'has closed the connection: look at its log, and whether it wants TLS (rediss://)',
  EPIPE: 'has closed the connection: look at its log, and whether it takes as many clients (maxclients)',
  ENOTFOUND: 'cannot be reached: the name of the host is not known',
  EAI_AGAIN: 'cannot be reached: the name of the host could not be looked up. Try again',
  ETIMEDOUT: 'cannot be reached: the connection timed out. Check host, port and firewall',
  EHOSTUNREACH: 'cannot be reached: there is no way to the host. Check the network',
  ESILENT: 'does not answer: check the network and the server',
  ENOTLS: 'speaks no TLS: write redis:// instead of rediss://, or have it speak TLS (tls-port)',
  ECLOSED: 'has lost the connection',
  EBUSY: 'has too much to do: try again when fewer calls are under way',
  WRONGPASS: 'refused the user or the password: check both in the URL of the store',
  NOAUTH: 'wants a password: write it into the URL of the store, redis://:PASSWORD@HOST',
  NOPERM: 'did not allow it: grant the user what a store needs, ~PREFIX* &PREFIX* +@all -@dangerous +info',
  READONLY: 'is a read-only replica: name the primary server',
  OOM: 'is full: raise its maxmemory, or free some',
  LOADING: 'is reading its files: try again',
  MISCONF: 'cannot write to its disk: look at its log',
  MOVED: 'is part of a Redis Cluster, which is not supported: name a server of its own',
  CLUSTERDOWN: 'is part of a Redis Cluster, which is not supported: name a server of its own',
}

/** What ioredis says itself has no code. */
const CODES: readonly (readonly [words: RegExp, code: string])[] = [
  [/max retries per request|Connection is closed|isn't writeable|Stream connection ended/i, 'ECLOSED'],
  [/^ERR invalid password|invalid username-password/i, 'WRONGPASS'],
  [/Authentication required/i, 'NOAUTH'],
]

/** One sentence that names the server and says what to do. */
export function explainRedis(error: unknown, place: string): DatabaseError {
  if (error instanceof DatabaseError) return error
  const message = error instanceof Error ? error.message : String(error)
  const reason = REASONS[codeOf(error, message)]
  return new DatabaseError(`${place} ${reason ?? `failed: ${message}`}`, { cause: error })
}

function codeOf(error: unknown, message: string): string {
  if (error instanceof Error && 'code' in error) return String(error.code)
  return CODES.find(([words]) => words.test(message))?.[1] ?? message.split(' ', 1)[0] ?? ''
}
