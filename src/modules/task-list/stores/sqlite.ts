import { openSqlite } from '../../../databases/sqlite.ts'
import type { TaskStore } from '../task-store.ts'
import { createSqlTasks, migrations, type SqlDialect } from './sql.ts'

const DIALECT: SqlDialect = {
  number: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  instant: 'TEXT',
  hasTag: (parameter) => `EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ${parameter})`,
  hasText: (parameter) => `instr(folded, ${parameter}) > 0`,
}

export interface SqliteTasksOptions {
  readonly path: string
  readonly folder?: 'must-exist' | 'make'
  readonly patienceMs?: number
}

/** Tasks in a file. */
export function openSqliteTasks(options: SqliteTasksOptions): TaskStore {
  return createSqlTasks(openSqlite({ ...options, migrations: migrations(DIALECT) }), DIALECT)
}
