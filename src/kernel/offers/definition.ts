import { describe } from '../check/describe.ts'
import { isObject, type JsonObject } from '../jsonrpc/message.ts'

/** Refuses a definition whose name or function is missing, in words that help whoever wrote it. */
export function checkNamed(noun: string, definition: unknown, key: string, action: string): string {
  if (!isObject(definition)) throw new TypeError(`A ${noun} must be an object, got ${describe(definition)}`)
  const name = definition[key]
  if (typeof name !== 'string' || name === '') {
    throw new TypeError(`A ${noun} needs a ${key}: expected a string, got ${describe(name)}`)
  }
  if (typeof definition[action] !== 'function') {
    throw new TypeError(
      `The ${noun} ${name} needs a function ${action}(), got ${describe(definition[action])}`,
    )
  }
  return name
}

/** A completer for something that is not there is a slip of the pen. */
export function checkCompleted(owner: string, complete: object, names: readonly string[]): void {
  for (const name of Object.keys(complete)) {
    if (!names.includes(name)) throw new TypeError(`${owner} completes ${name}, which it does not have`)
  }
}

/** Leaves out what is undefined: on the wire a member is there or it is not. */
export function present(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}
