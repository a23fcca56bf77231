import { openSqlite } from '../../../databases/sqlite.ts'
import type { Clauses, IndexTerm } from '../search.ts'
import type { TaskStore } from '../task-store.ts'
import { addSharing, FORGET, firstTable, indexOld, NOTE, type SchemaDialect } from './schema.ts'
import type { SqlDialect } from './select.ts'
import { createSqlTasks } from './sql.ts'

const SCHEMA: SchemaDialect = {
  number: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  instant: 'TEXT',
  words: (parameter) => parameter,
  entries: (parameter) => `json_each(${parameter}) e`,
}

/** Beginnings up to this many letters are found as fast as words. */
const BEGINNINGS = Array.from({ length: 12 }, (_, index) => index + 1).join(' ')

/** Words come as they are to be kept, so all that is left to do is to part them at the spaces. */
const ADD_WORDS = `
  DROP INDEX task_list_by_status;
  CREATE VIRTUAL TABLE task_words USING fts5(
    words, content = '', contentless_delete = 1, detail = none, prefix = '${BEGINNINGS}', tokenize = 'ascii'
  );
  INSERT INTO task_words (rowid, words) SELECT number, words FROM task_list;
  CREATE TRIGGER task_list_added AFTER INSERT ON task_list BEGIN
    INSERT INTO task_words (rowid, words) VALUES (NEW.number, NEW.words);
    ${NOTE}
  END;
  CREATE TRIGGER task_list_noted AFTER UPDATE OF entry ON task_list BEGIN ${NOTE} END;
  CREATE TRIGGER task_list_indexed AFTER UPDATE OF words, deleted_at ON task_list
  WHEN OLD.words IS NOT NEW.words OR OLD.deleted_at IS NOT NEW.deleted_at BEGIN
    DELETE FROM task_words WHERE rowid = OLD.number;
    INSERT INTO task_words (rowid, words) SELECT NEW.number, NEW.words WHERE NEW.deleted_at IS NULL;
  END;
  CREATE TRIGGER task_list_gone AFTER DELETE ON task_list BEGIN
    DELETE FROM task_words WHERE rowid = OLD.number;
    ${FORGET}
  END;`

/** What a file has run that was opened by this program. */
export const MIGRATIONS = [firstTable(SCHEMA), addSharing(SCHEMA, 'TEXT'), indexOld(SCHEMA), ADD_WORDS]

/** Everything a list is filtered by is a word: FTS5 goes through what has all of them, the newest first. */
const DIALECT: SqlDialect = {
  words: SCHEMA.words,
  each: (list) => `json_each(${list}) b`,
  exact: '',
  perStatus: false,
  isHere: true,
  // A few of them are found sooner otherwise.
  isIndexed: ({ text, tag, parent, completedSince, idPrefix }) =>
    text !== undefined || tag !== undefined || (parent ?? completedSince ?? idPrefix) === undefined,
  // What was deleted has no words, so nobody has to pass it by.
  search: (clauses, { conditions, limit, bind, before, from }) => `
    SELECT t.* FROM task_words CROSS JOIN task_list t ON t.number = task_words.rowid
    WHERE task_words MATCH ${bind(printQuery(clauses))} AND ${conditions}
      ${before === undefined ? '' : `AND task_words.rowid < ${bind(before)}`}
      ${from === undefined ? '' : `AND task_words.rowid >= ${bind(from)}`}
    ORDER BY task_words.rowid DESC LIMIT ${limit}`,
}

function printQuery(clauses: Clauses): string {
  return clauses.map((terms) => `(${terms.map(printTerm).join(' OR ')})`).join(' AND ')
}

function printTerm({ word, begins }: IndexTerm): string {
  return `"${word}"${begins === true ? ' *' : ''}`
}

export interface SqliteTasksOptions {
  readonly path: string
  readonly folder?: 'must-exist' | 'make'
  readonly patienceMs?: number
}

/** Tasks in a file. */
export function openSqliteTasks(options: SqliteTasksOptions): TaskStore {
  return createSqlTasks(openSqlite({ ...options, migrations: MIGRATIONS }), DIALECT)
}
