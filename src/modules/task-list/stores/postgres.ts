import { openPostgres } from '../../../databases/postgres.ts'
import { splitPrefix } from '../../../databases/postgres-url.ts'
import { DEFAULT_PREFIX } from '../../../databases/prefix.ts'
import type { Clauses } from '../search.ts'
import type { TaskStore } from '../task-store.ts'
import { ADD_BLOCKS, DROP_UNPLACED, printTerm, searchBlocks } from './blocks.ts'
import { addSharing, FORGET, firstTable, indexOld, NOTE, type SchemaDialect } from './schema.ts'
import type { SqlDialect } from './select.ts'
import { createSqlTasks } from './sql.ts'

const SCHEMA: SchemaDialect = {
  number: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  instant: 'TEXT COLLATE "C"',
  words: (parameter) => `array_to_tsvector(string_to_array(${parameter}, ' '))`,
  entries: (parameter) => `jsonb_array_elements(${parameter}::jsonb) AS e (value)`,
}

/** What was there before is in the list of those who name no prefix. */
const ADD_LISTS = `ALTER TABLE task_list ADD COLUMN list TEXT NOT NULL DEFAULT '${DEFAULT_PREFIX}'`

const ADD_WORDS = `
  DROP INDEX IF EXISTS task_list_by_status;
  CREATE INDEX task_list_there ON task_list (list, number) WHERE deleted_at IS NULL;
  CREATE INDEX task_list_by_status ON task_list (list, status, number) WHERE deleted_at IS NULL;
  CREATE INDEX task_list_by_priority ON task_list (list, priority, number) WHERE deleted_at IS NULL;
  CREATE INDEX task_list_claimed ON task_list (list, claimed_until) WHERE claimed_until IS NOT NULL;
  CREATE INDEX task_list_by_id ON task_list (id COLLATE "C");
  CREATE FUNCTION task_list_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${NOTE} RETURN NULL; END $$;
  CREATE FUNCTION task_list_forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${FORGET} RETURN NULL; END $$;
  CREATE TRIGGER task_list_noted AFTER INSERT OR UPDATE OF entry ON task_list
    FOR EACH ROW EXECUTE FUNCTION task_list_note();
  CREATE TRIGGER task_list_gone AFTER DELETE ON task_list FOR EACH ROW EXECUTE FUNCTION task_list_forget();`

const MIGRATIONS = [
  firstTable(SCHEMA),
  ADD_LISTS,
  addSharing(SCHEMA, 'TSVECTOR'),
  indexOld(SCHEMA),
  ADD_WORDS,
  DROP_UNPLACED,
  ADD_BLOCKS,
]

/** What is found by one look at an index in the order of creation is not looked for among words. */
const DIALECT: SqlDialect = {
  words: SCHEMA.words,
  each: (list) => `jsonb_array_elements_text((${list})::jsonb) AS b (value)`,
  exact: 'COLLATE "C"',
  perStatus: true,
  isHere: false,
  isIndexed: ({ text, tag, dueBefore }) => (text ?? tag ?? dueBefore) !== undefined,
  search: (clauses, page) => searchBlocks(printQuery(clauses), page),
}

function printQuery(clauses: Clauses): string {
  return clauses.map((terms) => `(${terms.map(printTerm).join(' | ')})`).join(' & ')
}

/** Tasks in a database that many may share, a list for each prefix. */
export function openPostgresTasks(url: string, options: { readonly patienceMs?: number } = {}): TaskStore {
  const { prefix, rest } = splitPrefix(url)
  const database = openPostgres({ ...options, url: rest, owner: 'task-list', migrations: MIGRATIONS })
  return createSqlTasks(database, DIALECT, prefix)
}
