/**
 * For what takes a while to make, and most servers never need.
 * @example
 * const table = once(() => new Map(REVISIONS.map((one) => [one.id, one])))
 * table().get(NEWEST.id)
 */
export function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
