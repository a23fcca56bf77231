/** What took so long to list that it is done once, should several want it one after the other. */
export const listed: { value: object | undefined; keys: readonly string[]; names?: readonly string[] } = {
  value: undefined,
  keys: [],
}

/** How many take long to list. */
export const MANY = 1000

/** The keys of an object's own members. */
export function keysOf(value: object): readonly string[] {
  if (value === listed.value) return listed.keys
  const keys = Object.keys(value)
  if (keys.length > MANY) keepListed(value, keys)
  return keys
}

export function keepListed(value: object, keys: readonly string[]): void {
  Object.assign(listed, { value, keys, names: undefined })
}

/** Keeps nothing of what has been looked at, and nothing of what it was if it changes. */
export function forgetListed(): void {
  Object.assign(listed, { value: undefined, keys: [], names: undefined })
}
