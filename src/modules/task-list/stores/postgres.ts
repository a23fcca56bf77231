import { openPostgres } from '../../../databases/postgres.ts'
import { splitPrefix } from '../../../databases/postgres-url.ts'
import { DEFAULT_PREFIX } from '../../../databases/prefix.ts'
import type { TaskStore } from '../task-store.ts'
import { createSqlTasks, migrations, type SqlDialect } from './sql.ts'

const DIALECT: SqlDialect = {
  number: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  instant: 'TEXT COLLATE "C"',
  hasTag: (parameter) => `jsonb_exists(tags::jsonb, ${parameter})`,
  hasText: (parameter) => `strpos(folded, ${parameter}) > 0`,
}

/** What was there before is in the list of those who name no prefix. */
const ADD_LISTS = `ALTER TABLE task_list ADD COLUMN list TEXT NOT NULL DEFAULT '${DEFAULT_PREFIX}'`

/** Tasks in a database that many may share, a list for each prefix. */
export function openPostgresTasks(url: string, options: { readonly patienceMs?: number } = {}): TaskStore {
  const { prefix, rest } = splitPrefix(url)
  const database = openPostgres({
    ...options,
    url: rest,
    owner: 'task-list',
    migrations: [...migrations(DIALECT), ADD_LISTS],
  })
  return createSqlTasks(database, DIALECT, prefix)
}
