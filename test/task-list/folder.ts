import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Database } from '../../src/databases/database.ts'
import { openSqlite } from '../../src/databases/sqlite.ts'
import { MIGRATIONS } from '../../src/modules/task-list/stores/sqlite.ts'

/** A folder that is gone after the test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'task-list-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A file of tasks, to look at what is in it. */
export function openFile(path: string): Database {
  return openSqlite({ path, migrations: MIGRATIONS })
}
