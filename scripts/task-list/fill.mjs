import { createRequire } from 'node:module'
import { createTasks } from './tasks.mjs'

const TABLE = (number, instant) => `CREATE TABLE task_list (
  number ${number}, id TEXT NOT NULL UNIQUE, description TEXT NOT NULL, folded TEXT NOT NULL, status TEXT NOT NULL,
  priority TEXT NOT NULL, due TEXT, due_end ${instant}, tags TEXT NOT NULL, created_at ${instant} NOT NULL,
  updated_at ${instant} NOT NULL, completed_at ${instant})`

const INDEX = 'CREATE INDEX task_list_by_status ON task_list (status, number)'
const COLUMNS = [
  'id',
  'description',
  'folded',
  'status',
  'priority',
  'due',
  'due_end',
  'tags',
  'created_at',
  'updated_at',
  'completed_at',
]

/** A file as the first version of the task list made it. */
export function fillSqlite(path, count) {
  const builtin = process.getBuiltinModule('node:sqlite')
  const { DatabaseSync } = builtin ?? createRequire(import.meta.url)('@photostructure/sqlite')
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN;`)
  database.exec(`${TABLE('INTEGER PRIMARY KEY AUTOINCREMENT', 'TEXT')}; ${INDEX}`)
  const insert = database.prepare(
    `INSERT INTO task_list (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  )
  for (const task of createTasks(count)) insert.run(...COLUMNS.map((name) => task[name]))
  database.exec('PRAGMA user_version = 1; COMMIT')
  database.close()
}

const BATCH = 5000

/** A database as the second version made it, with a list for each prefix. */
export async function fillPostgres(url, count) {
  const { default: pg } = await import('pg')
  const client = new pg.Client(url)
  await client.connect()
  await client.query(TABLE('BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY', 'TEXT COLLATE "C"'))
  await client.query(`${INDEX}; ALTER TABLE task_list ADD COLUMN list TEXT NOT NULL DEFAULT 'perigee:';
    CREATE TABLE perigee_schema (owner TEXT PRIMARY KEY, version INTEGER NOT NULL);
    INSERT INTO perigee_schema VALUES ('task-list', 2)`)
  const lists = COLUMNS.map((_, index) => `$${index + 1}::text[]`).join(', ')
  const sql = `INSERT INTO task_list (${COLUMNS.join(', ')}) SELECT * FROM unnest(${lists})`
  let batch = []
  const flush = async () => {
    if (batch.length > 0)
      await client.query(
        sql,
        COLUMNS.map((name) => batch.map((task) => task[name])),
      )
    batch = []
  }
  for (const task of createTasks(count)) {
    batch.push(task)
    if (batch.length === BATCH) await flush()
  }
  await flush()
  await client.end()
}
