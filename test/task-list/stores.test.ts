import { join } from 'node:path'
import { createMemoryTasks } from '../../src/modules/task-list/stores/memory.ts'
import { openSqliteTasks } from '../../src/modules/task-list/stores/sqlite.ts'
import { describeCancelling } from './cancelling.ts'
import { describeTaskStore } from './contract.ts'
import { describeDeeds } from './deeds-contract.ts'
import { createFolder, openFile } from './folder.ts'

describeTaskStore('memory', async () => createMemoryTasks())

describeDeeds('memory', async () => createMemoryTasks())

const openNew = async () => openSqliteTasks({ path: join(createFolder(), 'tasks.db') })

describeTaskStore('SQLite', openNew)

describeDeeds('SQLite', openNew)

describeCancelling('SQLite', async () => {
  const path = join(createFolder(), 'tasks.db')
  const store = openSqliteTasks({ path })
  await store.list({}, { limit: 1 })
  const holder = openFile(path)
  return {
    store,
    lock: async () => {
      await holder.query('BEGIN IMMEDIATE')
      return async () => {
        await holder.query('COMMIT')
        await holder.close()
      }
    },
    // A write tries at once, and waits when it has failed.
    waiting: () => new Promise((resolve) => setTimeout(resolve, 50)),
  }
})
