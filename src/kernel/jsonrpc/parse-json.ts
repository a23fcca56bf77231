/**
 * What a text says that may be no JSON, and is undefined then.
 * @example console.log(parseJson('<html>')) // undefined
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
