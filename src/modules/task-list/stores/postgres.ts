import { openPostgres } from '../../../databases/postgres.ts'
import type { TaskStore } from '../task-store.ts'
import { createSqlTasks, migrations, type SqlDialect } from './sql.ts'

const DIALECT: SqlDialect = {
  number: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  instant: 'TEXT COLLATE "C"',
  hasTag: (parameter) => `jsonb_exists(tags::jsonb, ${parameter})`,
  hasText: (parameter) => `strpos(folded, ${parameter}) > 0`,
}

/** Tasks in a database that many may share. */
export function openPostgresTasks(url: string, options: { readonly patienceMs?: number } = {}): TaskStore {
  const database = openPostgres({ ...options, url, owner: 'task-list', migrations: migrations(DIALECT) })
  return createSqlTasks(database, DIALECT)
}
