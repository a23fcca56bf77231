import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkKept, crashOften, printAcknowledged } from './crashing.ts'
import { createFolder, openFile } from './folder.ts'

const KILLS = 18

it(`loses nothing it acknowledged when it is killed ${KILLS} times while it writes, and leaves nothing half done`, async () => {
  const path = join(createFolder(), 'tasks.db')
  const acknowledged = await crashOften({ store: `sqlite:${path}`, kills: KILLS, lifeMs: 300 })
  const database = openFile(path)
  await checkKept(acknowledged, (sql) => database.query(sql))
  const count = async (sql: string) =>
    (await database.query(`SELECT count(*) AS count FROM ${sql}`))[0]?.['count']
  expect(await count("task_words WHERE task_words MATCH 'round'")).toBe(
    await count('task_list WHERE deleted_at IS NULL'),
  )
  expect(await database.query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  await database.close()
  console.info(`killed ${KILLS} times: ${printAcknowledged(acknowledged)}`)
})
