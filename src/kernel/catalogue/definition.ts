import { annotations, cacheHint, icons } from '../check/common.ts'
import {
  type Check,
  callable,
  expecting,
  listOf,
  type MembersOptions,
  membersOf,
  object,
  text,
} from '../check/members.ts'
import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import { describe } from '../words/describe.ts'
import { Mistake } from '../words/mistake.ts'

/** What authors may write to define a thing. */
export interface Grammar extends MembersOptions {
  /** What it is called in messages. */
  readonly noun: string
  /** The member that tells it from others. */
  readonly key: string
  /** The function it must have. */
  readonly action: string
  readonly members: { readonly [name: string]: Check }
}

/** Gives what a definition is known by; what is wrong with it is said in words that help whoever wrote it. */
export function checkDefinition(definition: unknown, grammar: Grammar): string {
  const { noun, key, action, members } = grammar
  if (!isObject(definition)) throw new Mistake(`A ${noun} must be an object, got ${describe(definition)}`)
  const name = definition[key]
  if (typeof name !== 'string' || name === '') {
    const found = Object.keys(definition).join(', ')
    throw new Mistake(`A ${noun} needs a ${key}: expected a string, got ${describe(name)} in { ${found} }`)
  }
  const where = `The ${noun} ${name}`
  membersOf(members, grammar)(definition, where)
  if (typeof definition[action] !== 'function')
    throw new Mistake(`${where} needs a function ${action}(), got ${describe(definition[action])}`)
  return name
}

/** Tokens list theirs with spaces between them, so that nobody could be granted one that has some. */
const scope = expecting(
  'a string without spaces',
  (value) => typeof value === 'string' && /^\S+$/.test(value),
)

/** What everything that is offered may have. */
export const OFFERED = {
  name: text,
  title: text,
  description: text,
  icons,
  _meta: object,
  scopes: listOf(scope),
}

/** What everything that is read may have. */
export const READABLE = { ...OFFERED, mimeType: text, annotations, cache: cacheHint }

/** A completer for something that is not there is a slip of the pen. */
export function checkCompleted(owner: string, complete: object, names: readonly string[]): void {
  for (const [name, completer] of Object.entries(complete)) {
    if (!names.includes(name)) throw new Mistake(`${owner} completes ${name}, which it does not have`)
    callable(completer, `${owner}: complete.${name}`)
  }
}

/** Leaves out what is undefined: on the wire a member is there or it is not. */
export function present(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}
