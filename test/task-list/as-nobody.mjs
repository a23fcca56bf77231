/** Uses a store without the rights of root, whom no permission stops, and prints what comes of it. */
import { createTask, openTaskStore } from '../../dist/modules/task-list/index.js'

const NOBODY = 65534
const [, , path, scratch] = process.argv
const task = createTask({ description: 'x', priority: 'low', due: null, tags: [] }, new Date().toISOString())

// Loads the driver while it can still be read.
const warm = openTaskStore(`sqlite:${scratch}`)
await warm.add(task)
await warm.close()
if (process.getuid() === 0) process.seteuid(NOBODY)

const store = openTaskStore(`sqlite:${path}`)
for (const [name, work] of [
  ['read', () => store.get('task_x')],
  ['write', () => store.add(task)],
]) {
  const said = await work().then(
    () => 'done',
    (error) => error.message,
  )
  console.log(`${name}: ${said}`)
}
