import { join } from 'node:path'
import { createMemoryTasks } from '../../src/modules/task-list/stores/memory.ts'
import { openSqliteTasks } from '../../src/modules/task-list/stores/sqlite.ts'
import { describeTaskStore } from './contract.ts'
import { createFolder } from './folder.ts'

describeTaskStore('memory', async () => createMemoryTasks())

describeTaskStore('SQLite', async () => openSqliteTasks({ path: join(createFolder(), 'tasks.db') }))
