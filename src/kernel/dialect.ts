import type { Codes } from './faults.ts'

/** The choices that documents make differently; the default is what the MCP revision in use says. */
export interface Dialect {
  /** Codes that this server gives to faults, over those of the revision. */
  readonly codes: Codes
  /** Whether `ping` is answered before `initialize`. */
  readonly ping: 'always' | 'after-initialize'
  /** From when on a handshake client may send its other requests. */
  readonly ready: 'after-initialize' | 'after-initialized'
  /** What an `initialize` with a version we do not speak gets: our newest one, or an error. */
  readonly unknownVersion: 'negotiate' | 'refuse'
  /** What arguments that do not fit a tool's schema give: an error, a tool result, or what the revision says. */
  readonly badArguments: 'as-revision' | 'fault' | 'tool-result'
  /** Whether a client that is known may ask the server to stop, by the method `exit`. */
  readonly exit: 'refused' | 'allowed'
}

export const DEFAULT_DIALECT: Dialect = Object.freeze({
  codes: {},
  ping: 'always',
  ready: 'after-initialize',
  unknownVersion: 'negotiate',
  badArguments: 'as-revision',
  exit: 'refused',
})
