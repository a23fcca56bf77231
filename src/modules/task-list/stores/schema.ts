import type { Migrations, Row } from '../../../databases/database.ts'
import { MAX_ENTRIES } from '../history.ts'
import { indexedText } from '../search.ts'
import { toTask } from './row.ts'

/** Where engines have different words for the same thing when tables are made. */
export interface SchemaDialect {
  /** A column that counts by itself, in the order of creation. */
  readonly number: string
  /** Text that is compared letter by letter. */
  readonly instant: string
  /** What the index of words is made of, from the text that a parameter names. */
  readonly words: (parameter: string) => string
  /** The entries of a list that a parameter holds as JSON, as rows `e` with a `value`. */
  readonly entries: (parameter: string) => string
}

/** The table as it was first. */
export function firstTable({ number, instant }: SchemaDialect): string {
  return `CREATE TABLE task_list (
      number ${number},
      id TEXT NOT NULL UNIQUE,
      description TEXT NOT NULL,
      folded TEXT NOT NULL,
      status TEXT NOT NULL,
      priority TEXT NOT NULL,
      due TEXT,
      due_end ${instant},
      tags TEXT NOT NULL,
      created_at ${instant} NOT NULL,
      updated_at ${instant} NOT NULL,
      completed_at ${instant}
    );
    CREATE INDEX task_list_by_status ON task_list (status, number);`
}

/** Links, claims, a bin, a history; the last thing that was done stands in its row, from where a trigger writes it down. */
export function addSharing({ number, instant }: SchemaDialect, wordsType: string): string {
  return `
    ALTER TABLE task_list DROP COLUMN folded;
    ALTER TABLE task_list ADD COLUMN parent TEXT;
    ALTER TABLE task_list ADD COLUMN blocked_by TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE task_list ADD COLUMN claimed_by TEXT;
    ALTER TABLE task_list ADD COLUMN claimed_until ${instant};
    ALTER TABLE task_list ADD COLUMN deleted_at ${instant};
    ALTER TABLE task_list ADD COLUMN entry TEXT;
    ALTER TABLE task_list ADD COLUMN words ${wordsType};
    CREATE INDEX task_list_by_parent ON task_list (parent, number) WHERE parent IS NOT NULL;
    CREATE INDEX task_list_by_completion ON task_list (completed_at) WHERE completed_at IS NOT NULL;
    CREATE INDEX task_list_deleted ON task_list (deleted_at) WHERE deleted_at IS NOT NULL;
    CREATE TABLE task_history (number ${number}, task TEXT NOT NULL, entry TEXT NOT NULL);
    CREATE INDEX task_history_by_task ON task_history (task, number);`
}

/** What is written down of a task whose row has changed, and what makes way for it. */
export const NOTE = `
  INSERT INTO task_history (task, entry) VALUES (NEW.id, NEW.entry);
  DELETE FROM task_history WHERE task = NEW.id AND number <= (
    SELECT number FROM task_history WHERE task = NEW.id ORDER BY number DESC LIMIT 1 OFFSET ${MAX_ENTRIES}
  );`

/** A task that is gone for good takes its history with it, and is nobody's parent. */
export const FORGET = `
  DELETE FROM task_history WHERE task = OLD.id;
  UPDATE task_list SET parent = NULL WHERE parent = OLD.id;`

/** Tasks that were there before words were. */
export function indexOld({ words, entries }: SchemaDialect): Migrations[number] {
  return {
    read: 'SELECT * FROM task_list WHERE number > $1 ORDER BY number LIMIT 1000',
    key: 'number',
    write: `UPDATE task_list SET words = ${words('e.value ->> 1')} FROM ${entries('$1')}
      WHERE number = CAST(e.value ->> 0 AS BIGINT)`,
    value: (row: Row) => indexedText(toTask(row)),
  }
}
