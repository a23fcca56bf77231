import { connect } from 'perigee/client'
import server from './server.ts'

const client = await connect(server)

// As a task: there is an id at once, and the result when it is done.
const film = await client.tasks.start('render', { frames: 5 })
console.log('started', film.taskId)
console.log((await film.result()).content)

// One that nobody wants any more.
const long = await client.tasks.start('render', { frames: 100_000 })
await long.cancel()
console.log((await client.tasks.get(long.taskId ?? '')).status)

// The same tool, waited for, as clients do that know no tasks.
const steps: number[] = []
await client.callTool('render', { frames: 3 }, { onProgress: ({ progress }) => steps.push(progress) })
console.log('progress', steps)
await client.close()
await server.close()
