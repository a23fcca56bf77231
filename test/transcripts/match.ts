import { isObject, type JsonObject } from '../../src/kernel/index.ts'

/** What a transcript has caught with `"<as name>"`, and what `"$(name)"` stands for. */
export type Caught = { [name: string]: unknown }

/** Where a value differs from a pattern, one sentence each; nothing when it fits. */
export function differences(pattern: unknown, value: unknown, caught: Caught, path = '$'): readonly string[] {
  if (typeof pattern === 'string') return differencesFromText(pattern, value, caught, path)
  if (Array.isArray(pattern)) return differencesFromArray(pattern, value, caught, path)
  if (isObject(pattern)) return differencesFromObject(pattern, value, caught, path)
  return Object.is(pattern, value) ? [] : [differs(path, pattern, value)]
}

function differencesFromText(
  pattern: string,
  value: unknown,
  caught: Caught,
  path: string,
): readonly string[] {
  if (pattern === '<any>') return value === undefined ? [`${path} is missing`] : []
  if (pattern === '<absent>') return value === undefined ? [] : [differs(path, 'nothing', value)]
  const [, name] = /^<as (\w+)>$/.exec(pattern) ?? []
  if (name !== undefined) {
    caught[name] = value
    return value === undefined ? [`${path} is missing`] : []
  }
  const [, expression] = /^\/(.+)\/$/s.exec(pattern) ?? []
  const fits =
    expression === undefined
      ? value === pattern
      : typeof value === 'string' && new RegExp(expression, 's').test(value)
  return fits ? [] : [differs(path, pattern, value)]
}

/** Arrays are of the same length, unless the pattern ends in `"..."`. */
function differencesFromArray(
  pattern: readonly unknown[],
  value: unknown,
  caught: Caught,
  path: string,
): readonly string[] {
  if (!Array.isArray(value)) return [differs(path, pattern, value)]
  const open = pattern.at(-1) === '...'
  const parts = open ? pattern.slice(0, -1) : pattern
  if (open ? value.length < parts.length : value.length !== parts.length)
    return [differs(path, pattern, value)]
  return parts.flatMap((part, index) => differences(part, value[index], caught, `${path}[${index}]`))
}

/** Listed members fit, others may be there too, unless the pattern says `"<no more>": true`. */
function differencesFromObject(
  pattern: JsonObject,
  value: unknown,
  caught: Caught,
  path: string,
): readonly string[] {
  if (typeof pattern['<contains>'] === 'string') {
    const fits = typeof value === 'string' && value.includes(pattern['<contains>'])
    return fits ? [] : [differs(path, pattern, value)]
  }
  if (!isObject(value)) return [differs(path, pattern, value)]
  const { '<no more>': closed, ...members } = pattern
  const extra = closed === true ? Object.keys(value).filter((key) => !(key in members)) : []
  return [
    ...extra.map((key) => differs(`${path}.${key}`, 'nothing', value[key])),
    ...Object.entries(members).flatMap(([key, part]) =>
      differences(part, Object.hasOwn(value, key) ? value[key] : undefined, caught, `${path}.${key}`),
    ),
  ]
}

function differs(path: string, expected: unknown, value: unknown): string {
  return `${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(value) ?? 'nothing'}`
}

/** Puts what was caught in the place of `$(name)`; a string that is nothing else keeps the type of the value. */
export function fill(value: unknown, caught: Caught): unknown {
  if (typeof value === 'string') return fillText(value, caught)
  if (Array.isArray(value)) return value.map((part) => fill(part, caught))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part, caught)]))
}

function fillText(text: string, caught: Caught): unknown {
  const [, whole] = /^\$\((\w+)\)$/.exec(text) ?? []
  if (whole !== undefined) return find(whole, caught)
  return text.replace(/\$\((\w+)\)/g, (_match, name: string) => String(find(name, caught)))
}

function find(name: string, caught: Caught): unknown {
  if (!Object.hasOwn(caught, name)) throw new Error(`nothing has been caught as ${name}`)
  return caught[name]
}
