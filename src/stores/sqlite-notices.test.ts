import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSqlite } from '../databases/sqlite.ts'
import type { Json } from '../kernel/index.ts'
import { Notices } from './sqlite-notices.ts'
import { MIGRATIONS, SQL } from './sqlite-schema.ts'

/** Nobody looks by the clock here, unless a test says so. */
const NEVER = 1_000_000

function createFile(pollMs = NEVER) {
  const folder = mkdtempSync(join(tmpdir(), 'notices-'))
  const database = openSqlite({ path: join(folder, 'notices.db'), migrations: MIGRATIONS })
  let [time, reads] = [0, 0]
  let held: Promise<void> | undefined
  const query: typeof database.query = async (sql, values) => {
    if (sql === SQL.notices) reads++
    const rows = await database.query(sql, values)
    if (sql === SQL.notices) await held
    return rows
  }
  const notices = new Notices({ query, now: () => time, pollMs, lifeMs: 1000 })
  onTestFinished(async () => {
    notices.close()
    await database.close()
    rmSync(folder, { recursive: true })
  })
  const heard: Json[] = []
  const listen = (topic: string) =>
    notices.subscribe({ topic, hear: (message) => heard.push(message), missed: () => heard.push('missed') })
  /** What another process does. */
  const write = async (topic: string, message: Json) => {
    const [row] = await database.query(SQL.publish, [topic, JSON.stringify(message), 'other', time])
    return Number(row?.['number'])
  }
  const publish = async (topic: string, message: Json) =>
    notices.published(topic, message, await write(topic, message))
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  /** What is read is given from here on only when the function given back is called. */
  const hold = () => {
    let goOn = () => {}
    held = new Promise((resolve) => {
      goOn = resolve
    })
    return goOn
  }
  return { notices, database, heard, listen, write, publish, pass, hold, reads: () => reads }
}

it('tells what was published here without a look into the file', async () => {
  const { heard, listen, publish, reads } = createFile()
  await publish('a', 0)
  await listen('a')
  await publish('a', 1)
  await publish('b', 2)
  await publish('a', 3)
  expect(heard).toEqual([1, 3])
  expect(reads()).toBe(0)
})

it('tells first what others had published before', async () => {
  const { heard, listen, write, publish, reads } = createFile()
  await listen('a')
  await write('a', 'theirs')
  await publish('a', 'ours')
  expect(heard).toEqual(['theirs', 'ours'])
  expect(reads()).toBe(1)
})

it('tells once what comes while it is looking', async () => {
  const { heard, listen, write, publish, hold, reads } = createFile()
  await listen('a')
  await write('a', 1)
  const goOn = hold()
  const looking = publish('a', 2)
  await expect.poll(reads).toBe(1)
  const meanwhile = publish('a', 3)
  await new Promise(setImmediate)
  expect(heard).toEqual([])
  goOn()
  await Promise.all([looking, meanwhile])
  expect(heard).toEqual([1, 2, 3])
})

it('tells nobody of what was published before it listened', async () => {
  const { heard, listen, write, publish } = createFile()
  await listen('a')
  await write('a', 1)
  await listen('a')
  await publish('a', 2)
  expect(heard).toEqual([1, 2, 2])
})

it('tells nobody who has left, also where another listener made it leave', async () => {
  const { notices, heard, listen, publish } = createFile()
  let leave = async () => {}
  await notices.subscribe({ topic: 'a', hear: () => void leave(), missed: undefined })
  leave = await listen('a')
  await publish('a', 1)
  expect(heard).toEqual([])
})

it('looks by the clock for as long as somebody listens', async () => {
  const { heard, listen, write, reads } = createFile(5)
  const leave = await listen('a')
  await write('a', 1)
  await expect.poll(() => heard).toEqual([1])
  await leave()
  const before = reads()
  await write('a', 2)
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(reads()).toBe(before)
  await listen('a')
  await write('a', 3)
  await expect.poll(() => heard).toEqual([1, 3])
})

it('says that something may have been missed when it has not looked for as long as notices are kept', async () => {
  const { heard, listen, write, publish, pass } = createFile()
  await listen('a')
  pass(999)
  await write('a', 1)
  await publish('a', 2)
  expect(heard).toEqual([1, 2])
  pass(1000)
  await write('a', 3)
  await publish('a', 4)
  expect(heard).toEqual([1, 2, 3, 4, 'missed'])
})

it('tells everything of a file that has taken the place of another, and that something may have been missed', async () => {
  const { notices, database, heard, listen, write, publish } = createFile()
  await publish('a', 0)
  await listen('a')
  await publish('a', 1)
  await database.query('DELETE FROM notice')
  await database.query("UPDATE sqlite_sequence SET seq = 0 WHERE name = 'notice'")
  await write('a', 'anew')
  await notices.published('a', 'a reason to look', 9)
  expect(heard).toEqual([1, 'anew', 'missed'])
})

it('goes on after a look that failed, and hears nothing once it is closed', async () => {
  const { notices, database, heard, listen, write, publish } = createFile()
  await listen('a')
  await write('a', 1)
  await database.query('ALTER TABLE notice RENAME TO hidden')
  await notices.published('a', 2, 2)
  expect(heard).toEqual([])
  await database.query('ALTER TABLE hidden RENAME TO notice')
  await publish('a', 2)
  expect(heard).toEqual([1, 2])
  notices.close()
  await publish('a', 3)
  expect(heard).toEqual([1, 2])
})
