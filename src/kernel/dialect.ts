import type { Principal } from './callers/principal.ts'
import { type Check, callable, expecting, later, membersOf, oneOf } from './check/members.ts'
import { type Codes, FAULTS } from './faults.ts'
import { isObject, type JsonObject } from './jsonrpc/message.ts'

/** The choices that documents make differently; the default is what the MCP revision in use says. */
export interface Dialect {
  /** Codes that this server gives to faults, over those of the revision. */
  readonly codes: Codes
  /** Whether `ping` is answered before `initialize`. */
  readonly ping: 'always' | 'after-initialize'
  /** Whether a number that is an id may have a fraction. */
  readonly ids: 'integers' | 'numbers'
  /** What a further `initialize` on an open connection does: it begins anew, or is refused. */
  readonly reopening: 'anew' | 'refused'
  /** Whether answers to `tools/call` on a pipe come when they are ready, or in the order of the calls. */
  readonly answers: 'when-ready' | 'as-called'
  /** From when on a handshake client may send its other requests. */
  readonly ready: 'after-initialize' | 'after-initialized'
  /** What an `initialize` with a version we do not speak gets: our newest one, an error, or an error only if it is no date. */
  readonly unknownVersion: 'negotiate' | 'refuse' | 'negotiate-dates'
  /** What arguments that do not fit a tool's schema give: an error, a tool result, or what the revision says. */
  readonly badArguments: 'as-revision' | 'fault' | 'tool-result'
  /** Whether a client that is known may ask the server to stop, by the method `exit`, and hears so even if it gave no id. */
  readonly exit: 'refused' | 'allowed' | 'acknowledged'
  /** Whether errors say at length what was expected and what came, in their data. */
  readonly details: 'few' | 'many'
  /** Reads the parameters of a request where they do not stand in its `params` alone. */
  readonly params: ((message: JsonObject) => unknown) | undefined
}

/**
 * What a server chooses that says nothing.
 * @example const dialect: Dialect = { ...DEFAULT_DIALECT, badArguments: 'fault' }
 */
export const DEFAULT_DIALECT: Dialect = Object.freeze({
  codes: {},
  ping: 'always',
  ids: 'integers',
  reopening: 'anew',
  answers: 'when-ready',
  ready: 'after-initialize',
  unknownVersion: 'negotiate',
  badArguments: 'as-revision',
  exit: 'refused',
  details: 'few',
  params: undefined,
})

type Choices = {
  readonly [Fact in Exclude<keyof Dialect, 'codes' | 'params'>]: { readonly [Choice in Dialect[Fact]]: true }
}

/** All there is to choose, for authors whose language does not know. */
const CHOICES: Choices = {
  ping: { always: true, 'after-initialize': true },
  ids: { integers: true, numbers: true },
  reopening: { anew: true, refused: true },
  answers: { 'when-ready': true, 'as-called': true },
  ready: { 'after-initialize': true, 'after-initialized': true },
  unknownVersion: { negotiate: true, refuse: true, 'negotiate-dates': true },
  badArguments: { 'as-revision': true, fault: true, 'tool-result': true },
  exit: { refused: true, allowed: true, acknowledged: true },
  details: { few: true, many: true },
}

const code = expecting(
  'a number, or { code, message }',
  (value) => typeof value === 'number' || (isObject(value) && typeof value['code'] === 'number'),
)

/**
 * Looks at the `dialect` of a definition.
 * @example checkDialect({ badArguments: 'fault' }, 'dialect')
 */
export const checkDialect: Check = later(() =>
  membersOf({
    ...Object.fromEntries(
      Object.entries(CHOICES).map(([fact, choices]) => [fact, oneOf(...Object.keys(choices))]),
    ),
    params: callable,
    codes: membersOf(Object.fromEntries(Object.keys(FAULTS).map((name) => [name, code]))),
  }),
)

/** Nobody in particular may not stop a server that others use. */
export function mayExit({ exit }: Dialect, principal: Principal | undefined): boolean {
  return exit !== 'refused' && principal?.anonymous !== true
}
