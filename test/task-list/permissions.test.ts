import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, type TestContext } from 'vitest'
import { openSqliteTasks } from '../../src/modules/task-list/stores/sqlite.ts'
import { aTask } from './contract.ts'
import { createFolder, openFile } from './folder.ts'

const run = promisify(execFile)

/** A file with a task in it, in a folder below one that everybody may enter. */
async function createFile(): Promise<{
  readonly path: string
  readonly folder: string
  readonly scratch: string
}> {
  const top = createFolder()
  chmodSync(top, 0o755)
  const folder = join(top, 'data')
  mkdirSync(folder)
  onTestFinished(() => chmodSync(folder, 0o755))
  const path = join(folder, 'tasks.db')
  const store = openSqliteTasks({ path })
  await store.add(aTask())
  await store.close()
  return { path, folder, scratch: join(top, 'scratch.db') }
}

async function useAsNobody(context: TestContext, path: string, scratch: string): Promise<readonly string[]> {
  if (process.getuid === undefined) return context.skip('this system has other permissions')
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'as-nobody.mjs'), path, scratch])
  return stdout.trim().split('\n')
}

it('says that a file is read-only', async (context) => {
  const { path, folder, scratch } = await createFile()
  await keepInOneFile(path)
  chmodSync(path, 0o444)
  chmodSync(folder, 0o555)
  const said = `The database ${path} is read-only: allow writing to the file and its folder, or choose another store`
  expect(await useAsNobody(context, path, scratch)).toEqual([`read: ${said}`, `write: ${said}`])
})

it('says that a file with a log beside it is read-only', async (context) => {
  const { path, folder, scratch } = await createFile()
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o444)
  chmodSync(folder, 0o555)
  const [, write] = await useAsNobody(context, path, scratch)
  expect(write).toMatch(/^write: The database .*tasks\.db (is read-only|may not be used): allow/)
})

it('says that a file may not be used', async (context) => {
  const { path, folder, scratch } = await createFile()
  chmodSync(path, 0o000)
  chmodSync(folder, 0o555)
  const said = `The database ${path} may not be used: allow reading and writing of the file and its folder, or choose another store`
  expect(await useAsNobody(context, path, scratch)).toEqual([`read: ${said}`, `write: ${said}`])
})

it('says that a folder may not be entered', async (context) => {
  const { path, folder, scratch } = await createFile()
  chmodSync(folder, 0o000)
  const [read, write] = await useAsNobody(context, path, scratch)
  expect(read).toContain(`The database ${path} `)
  expect(write).toContain(`The database ${path} `)
})

/** Where the header of a file says how it is written: ahead is 2, with a journal is 1. */
const MODE_AT = 18

/** Turns a file that nobody uses into one that needs no log beside it, as a copy on a read-only disk may be. */
async function keepInOneFile(path: string): Promise<void> {
  const database = openFile(path)
  await database.query('PRAGMA wal_checkpoint(TRUNCATE)')
  await database.close()
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
  const file = await open(path, 'r+')
  await file.write(Buffer.from([1, 1]), 0, 2, MODE_AT)
  await file.close()
}
