import { expecting, type Members, membersOf, number, oneOf, type Principal, texts } from '../kernel/index.ts'

/**
 * Throws a TypeError unless it is a principal and nothing else: one whose scopes are misspelt would be let in to everything.
 * @example checkPrincipal({ id: 'ann', scopes: ['files'] }, 'What the transport found')
 */
export function checkPrincipal(value: unknown, where: string): asserts value is Principal {
  const prototype: unknown =
    typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : value
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError(`${where}: expected { id, scopes? }, a plain object, got ${kindOf(value)}`)
  checkMembers(value, where)
}

/** A text may be what somebody proves themselves with, and is not repeated. */
function kindOf(value: unknown): string {
  if (typeof value !== 'object') return value === undefined ? 'nothing' : `a ${typeof value}`
  return Array.isArray(value) ? 'an array' : `an object of the class ${value?.constructor?.name ?? 'null'}`
}

const name = expecting('a string that is not empty', (value) => typeof value === 'string' && value !== '')

const checkMembers = membersOf(
  { id: name, scopes: texts, anonymous: oneOf(true), expires: number } satisfies Members<Principal>,
  {
    needed: ['id'],
    meant: { sub: 'id', name: 'id', scp: 'scopes', roles: 'scopes', permissions: 'scopes' },
  },
)
