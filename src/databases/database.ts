export type Value = string | number | null

export type Row = { readonly [column: string]: unknown }

/** A place that speaks SQL. Parameters are written `$1`, `$2` … whatever the engine. */
export interface Database {
  /**
   * Runs one statement, whole or not at all; what it wrote is durable when the promise resolves.
   * When the signal is aborted before that, nothing has been written, unless it was on its way already.
   */
  query(sql: string, values?: readonly Value[], signal?: AbortSignal): Promise<readonly Row[]>
  /** The same, but no two at a time of those that name this lock: what one looks at, no other changes meanwhile. */
  alone(lock: string): Pick<Database, 'query'>
  close(): Promise<void>
}

/** Scripts in the order in which they were written: a database at version 3 has run the first three. */
export type Migrations = readonly (string | Rewriting)[]

/** What SQL has no words for: rows are read, a few at a time, and something is written for each. */
export interface Rewriting {
  /** Gives the rows after the one whose key is `$1`, in the order of that key; 0 comes before all of them. */
  readonly read: string
  readonly key: string
  /** Takes `[key, value]` of each of these rows, as one list in JSON. */
  readonly write: string
  readonly value: (row: Row) => Value
}

/** What is written for rows that were read. */
export function printRewritten({ key, value }: Rewriting, rows: readonly Row[]): string {
  return JSON.stringify(rows.map((row) => [row[key], value(row)]))
}

/** A database could not do what it was asked; the message says which one, why, and what helps. */
export class DatabaseError extends Error {}

export function newerSchema(database: string, version: number, migrations: Migrations): DatabaseError {
  return new DatabaseError(
    `${database} was written by a newer program: its schema has version ${version}, and this one knows versions up to ${migrations.length}. Install the newer program, or choose another store`,
  )
}
