import { readFileSync } from 'node:fs'
import { isObject, type JsonObject, suggest } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'
import { factsOf } from './schema-facts.ts'
import { memberOf, parseJson, readValue } from './values.ts'

/** `name=text`, `name:=JSON`, `name=@file`. */
export interface TypedArgument {
  readonly name: string
  readonly text: string
  readonly isJson: boolean
}

/** What was typed as arguments, with the files that it names read. */
export function readArguments(words: readonly string[]): readonly TypedArgument[] {
  return words.map((word) => {
    const at = word.indexOf('=')
    const isJson = word[at - 1] === ':'
    const name = word.slice(0, isJson ? at - 1 : at)
    if (at < 0 || name === '')
      throw new UsageError(`expected name=value, name:=JSON or name=@file, got ${JSON.stringify(word)}`)
    return { name, text: readText(name, word.slice(at + 1)), isJson }
  })
}

/** `@file` is what is in the file, `@-` what comes from stdin, and `@@` a text that begins with `@`. */
function readText(name: string, text: string): string {
  if (text.startsWith('@@')) return text.slice(1)
  if (!text.startsWith('@')) return text
  const file = text.slice(1)
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new UsageError(
      `${name}: ${JSON.stringify(file)} cannot be read: ${(error as Error).message}. A text that begins with @ is written @@`,
    )
  }
}

/** `--args`: all of them at once, as JSON. */
export function readWhole(text: string | undefined): JsonObject {
  if (text === undefined) return {}
  const value = atPlace('args', () => parseJson(readText('args', text)))
  if (isObject(value)) return value
  throw new UsageError(`args: expected a JSON object, got ${JSON.stringify(text.slice(0, 200))}`)
}

/** The arguments for a tool, typed as its schema says; one that is given more than once is a list. */
export function fitArguments(
  given: readonly TypedArgument[],
  whole: JsonObject,
  schema: JsonObject,
): JsonObject {
  const typed = new Map<string, unknown[]>()
  for (const { name, text, isJson } of given) {
    checkKnown(name, schema)
    const place = { name, schema: memberOf(schema, name), root: schema }
    const value = atPlace(name, () => (isJson ? parseJson(text) : readValue(text, place)))
    typed.set(name, [...(typed.get(name) ?? []), value])
  }
  const joined = [...typed].map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : join(name, values, schema),
  ])
  return { ...whole, ...Object.fromEntries(joined) }
}

function join(name: string, values: readonly unknown[], schema: JsonObject): unknown {
  const { types } = factsOf(memberOf(schema, name), schema)
  if (types.size === 0 || types.has('array')) return values.flat()
  throw new UsageError(`${name}: it is no list, and was given ${values.length} times`)
}

/** Where nothing else is allowed, what is not there was mistyped. */
function checkKnown(name: string, schema: JsonObject): void {
  const { properties, additionalProperties } = schema
  if (additionalProperties !== false || !isObject(properties) || Object.hasOwn(properties, name)) return
  const known = Object.keys(properties)
  const nearest = suggest(name, known)
  const hint = known.includes(nearest) ? `Did you mean ${nearest}?` : nearest
  throw new UsageError(`there is no argument ${name}. ${known.length === 0 ? 'It takes none' : hint}`)
}

function atPlace<Result>(name: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    const { message } = error as Error
    throw message.startsWith(`${name}: `) ? error : new UsageError(`${name}: ${message}`)
  }
}
