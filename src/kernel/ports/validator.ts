import type { JsonObject } from '../jsonrpc/message.ts'
import { cut } from '../words/describe.ts'

/** One thing wrong with a value: where, what was expected there, and what came. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** What a schema makes of a value, or what is wrong with it. */
export type Reading = { readonly value: unknown } | { readonly problems: readonly Problem[] }

/** A schema as the kernel uses it: something to list, and something to read values with. */
export interface Shape {
  readonly schema: JsonObject
  /** Synchronous unless the author's schema library is not. */
  read(value: unknown): Reading | Promise<Reading>
}

/** The port a schema library fills: whatever authors write as a schema becomes a Shape. */
export interface Validator {
  /** Throws a TypeError when `schema` is nothing it understands, and says where. */
  shape(schema: unknown, use: 'input' | 'output'): Shape
  /** Has what checks take be there before the first of them has to wait for it. */
  prepare(): void
  /** The largest schema and the longest check so far. */
  readonly most: { readonly schemaParts: number; readonly checkSteps: number }
}

export function printProblems(problems: readonly Problem[]): string {
  return problems
    .map(({ path, message }) => cut(path === '' ? message : `${cut(path)}: ${message}`, 2000))
    .join('; ')
}
