/** Expressions with many characters take a while to make, and most servers need none of them. */
export function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
