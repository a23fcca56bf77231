import type { Value } from '../../../databases/database.ts'

export interface Statement {
  readonly sql: string
  readonly values: readonly Value[]
}

export type Bind = (value: Value) => string

/** Collects values and gives each its parameter. */
export function binding(): { readonly values: readonly Value[]; readonly bind: Bind } {
  const values: Value[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}
