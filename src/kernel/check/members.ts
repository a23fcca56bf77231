import { isObject } from '../jsonrpc/message.ts'
import { once } from '../once.ts'
import { describe } from '../words/describe.ts'
import { Mistake } from '../words/mistake.ts'
import { suggest } from '../words/suggest.ts'

/** Looks at something an author wrote; throws a TypeError that says where it stands and what was expected there. */
export type Check = (value: unknown, where: string) => void

/** A check for each member that a type has. */
export type Members<Type> = { readonly [Name in keyof Type]-?: Check }

export interface MembersOptions {
  /** What is meant by names that other libraries use: the name here, or a sentence. */
  readonly meant?: { readonly [name: string]: string }
  readonly needed?: readonly string[]
}

/**
 * Takes whatever there is.
 * @example membersOf({ name: text, extra: anything })
 */
export const anything: Check = () => {}

/**
 * Expects a string.
 * @example text('abc', 'name')
 */
export const text = expecting('a string', (value) => typeof value === 'string')

/**
 * Expects true or false.
 * @example membersOf({ readonly: flag })
 */
export const flag = expecting('true or false', (value) => typeof value === 'boolean')

/**
 * Expects a number.
 * @example membersOf({ port: number })
 */
export const number = expecting('a number', (value) => typeof value === 'number' && !Number.isNaN(value))

/**
 * Expects a function.
 * @example membersOf({ run: callable })
 */
export const callable = expecting('a function', (value) => typeof value === 'function')

/**
 * Expects an object.
 * @example membersOf({ _meta: object })
 */
export const object = expecting('an object', isObject)

/**
 * Expects an array of strings.
 * @example membersOf({ scopes: texts })
 */
export const texts = listOf(text)

/**
 * A check that says what it expected.
 * @example const port = expecting('a port', (value) => Number.isInteger(value))
 */
export function expecting(expected: string | (() => string), fits: (value: unknown) => boolean): Check {
  return (value, where) => {
    if (fits(value)) return
    const words = typeof expected === 'string' ? expected : expected()
    throw new Mistake(`${where}: expected ${words}, got ${describe(value)}`)
  }
}

/**
 * A check that is put together when it is first needed.
 * @example const tree: Check = later(() => membersOf({ name: text, children: listOf(tree) }))
 */
export function later(make: () => Check): Check {
  const check = once(make)
  return (value, where) => check()(value, where)
}

/**
 * Expects one of these values.
 * @example membersOf({ access: oneOf('anybody', 'callers') })
 */
export function oneOf(...allowed: readonly unknown[]): Check {
  const name = (one: unknown) => (typeof one === 'string' ? `'${one}'` : String(one))
  return expecting(
    () => allowed.map(name).join(' or '),
    (value) => allowed.includes(value),
  )
}

/**
 * Expects an array, each element of which is looked at.
 * @example const ports = listOf(number)
 */
export function listOf(check: Check): Check {
  const list = expecting('an array', Array.isArray)
  return (value, where) => {
    list(value, where)
    for (const [index, one] of (value as readonly unknown[]).entries()) check(one, `${where}[${index}]`)
  }
}

/**
 * An object with these members and no others: a name that nobody reads is a mistake that nobody sees.
 * @example
 * const options = membersOf({ host: text, port: number }, { needed: ['host'] })
 * options({ host: 'a' }, 'options')
 */
export function membersOf(members: { readonly [name: string]: Check }, options: MembersOptions = {}): Check {
  const { needed = [], meant = {} } = options
  return (value, where) => {
    object(value, where)
    for (const [name, member] of Object.entries(value as object)) {
      if (member === undefined) continue
      const check = Object.hasOwn(members, name) ? members[name] : undefined
      if (check !== undefined) check(member, inside(where, name))
      else if (Object.hasOwn(meant, name) || isPlain(value))
        throw new Mistake(`${where}: there is no ${JSON.stringify(name)}. ${hintOf(name, members, meant)}`)
    }
    const missing = needed.find((name) => (value as { readonly [name: string]: unknown })[name] === undefined)
    if (missing !== undefined) members[missing]?.(undefined, inside(where, missing))
  }
}

/** `Tool add: annotations.title`: a thing, and the way to a place in it. */
function inside(where: string, name: string): string {
  return where.includes(': ') ? `${where}.${name}` : `${where}: ${name}`
}

/** An object of somebody's class may have members of its own. */
function isPlain(value: unknown): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function hintOf(name: string, members: object, meant: MembersOptions['meant']): string {
  const hint = meant?.[name] ?? suggest(name, Object.keys(members))
  return Object.hasOwn(members, hint) ? `Did you mean ${hint}?` : hint
}
