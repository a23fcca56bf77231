import { DatabaseError } from './database.ts'
import { TLS_REASONS } from './tls-errors.ts'

/** Codes of PostgreSQL and of the network that somebody can do something about. */
const REASONS: { readonly [code: string]: string } = {
  ...TLS_REASONS,
  ECONNREFUSED: 'cannot be reached: nothing listens there. Start the server, or check host and port',
  ENOENT: 'cannot be reached: there is no such socket. Start the server, or check the folder of its socket',
  ENOTFOUND: 'cannot be reached: the name of the host is not known',
  EAI_AGAIN: 'cannot be reached: the name of the host could not be looked up. Try again',
  ESILENT: 'does not answer: check the network and the server, and try again',
  ECLOSED: 'has closed the connection: look at its log, and try again',
  ECONNRESET: 'has closed the connection: look at its log, and try again',
  EBOUNCER:
    'is behind a PgBouncer that refuses our time limits: in its settings, write ignore_startup_parameters = statement_timeout,lock_timeout',
  EDEAF:
    'does not pass on what others say by NOTIFY: a PgBouncer in between has to be in session mode (pool_mode=session), or name PostgreSQL itself',
  EBUSY:
    'gave no connection in time: check the network and the server, or try again when fewer calls are under way',
  ETIMEDOUT: 'cannot be reached: the connection timed out. Check host, port and firewall',
  '28P01': 'refused the user or the password: check both in the URL of the store',
  '28000': 'refused the user: check the URL of the store, and the rules in pg_hba.conf',
  '3D000': 'does not exist: create it with createdb, or check its name',
  '42501': 'did not allow it: grant the user the right to create and use tables',
  '25006': 'is read-only: use the primary server, or allow writing',
  '42P01': 'does not have the tables any more that were made at start: start the servers again that use it',
  '42883':
    'does not have the functions any more that were made at start: start the servers again that use it',
  '53100': 'cannot grow, because the disk is full: free some space on the server and try again',
  '53300': 'has too many connections already: close some, or raise max_connections',
  '55P03': 'is locked by another program: try again',
  '57014': 'took too long to answer: try again, and look at what keeps the server busy',
  '57P01': 'was shut down: start it again',
  '57P03': 'is starting up or shutting down: try again',
}

/** One sentence that names host and database and says what to do. */
export function explainPostgres(error: unknown, place: string): DatabaseError {
  if (error instanceof DatabaseError) return error
  const reason = REASONS[codeOf(error)]
  const said = reason ?? `failed: ${error instanceof Error ? error.message : String(error)}`
  return new DatabaseError(`${place} ${said}`, { cause: error })
}

/** `pg` gives no code to what it notices itself. */
const CODES: { readonly [message: string]: string } = {
  'Query read timeout': 'ESILENT',
  'Connection terminated': 'ECLOSED',
  'Connection terminated unexpectedly': 'ECLOSED',
  'Client has encountered a connection error and is not queryable': 'ECLOSED',
  'timeout expired': 'ETIMEDOUT',
  'timeout exceeded when trying to connect': 'EBUSY',
  'Connection terminated due to connection timeout': 'ETIMEDOUT',
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.message.startsWith('unsupported startup parameter')) return 'EBOUNCER'
  return 'code' in error ? String(error.code) : (CODES[error.message] ?? '')
}
