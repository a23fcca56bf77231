import { isObject, type JsonObject } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'

export interface Expanding {
  /** Named where something is wrong. */
  readonly where: string
  /** What is filled in beside the variables of the environment. */
  readonly more?: { readonly [name: string]: string } | undefined
}

/** `${VAR}`, `${env:VAR}` and `${VAR:-otherwise}` in any text of an entry, so that secrets need not stand in files. */
export function expand(entry: JsonObject, { where, more }: Expanding): JsonObject {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, expandAny(value, { where: `${where}: ${key}`, more })]),
  )
}

function expandAny(value: unknown, expanding: Expanding): unknown {
  if (typeof value === 'string') return expandText(value, expanding)
  if (Array.isArray(value)) return value.map((one) => expandAny(one, expanding))
  return isObject(value) ? expand(value, expanding) : value
}

const VARIABLE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** What a host would ask a person for, who is not there. */
const ASKED = /\$\{input:[^}]*\}/

function expandText(text: string, { where, more = {} }: Expanding): string {
  const [asked] = ASKED.exec(text) ?? []
  if (asked !== undefined)
    throw new UsageError(
      `${where}: a gateway cannot ask for ${asked}. Write a variable instead, \${NAME}, and set it`,
    )
  return text.replaceAll(VARIABLE, (_whole, name: string, otherwise: string | undefined) => {
    const value = process.env[name] ?? more[name] ?? otherwise
    if (value !== undefined) return value
    throw new UsageError(`${where}: the variable ${name} is not set`)
  })
}
