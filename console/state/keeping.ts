import { parseJson } from '../model/json.ts'

/** What outlives a reload. A browser that keeps nothing is a browser in which nothing outlives one. */
export function recall<Value>(name: string, otherwise: Value): Value {
  try {
    const text = localStorage.getItem(`perigee.${name}`)
    return text === null ? otherwise : ((parseJson(text) as Value | undefined) ?? otherwise) // As it was kept.
  } catch {
    return otherwise
  }
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`perigee.${name}`, JSON.stringify(value))
  } catch {
    // Full or forbidden: the page works without.
  }
}
