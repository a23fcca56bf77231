// Loads what is published from a folder, tells in a line what V8 was given for it and whether it took that, and waits for
// the end of stdin.
//   node compiled-probe.mjs FOLDER [at-once] [thread] [umask | umask-077]
// What would be kept a second later is kept at once; all of it happens in a thread; others may write to what is made.
import { isMainThread, Worker, workerData } from 'node:worker_threads'

const [folder, ...how] = isMainThread ? process.argv.slice(2) : workerData

if (isMainThread && how.includes('thread')) {
  const worker = new Worker(new URL(import.meta.url), { workerData: [folder, ...how] })
  worker.once('exit', () => process.exit())
} else {
  if (how.includes('umask')) process.umask(0)
  if (how.includes('umask-077')) process.umask(0o077)
  await probe()
}

async function probe() {
  const vm = process.getBuiltinModule('node:vm')
  const timers = process.getBuiltinModule('node:timers')
  const { Script } = vm
  const { setTimeout } = timers
  const said = { keeps: false }
  vm.Script = class extends Script {
    constructor(text, options) {
      super(text, options)
      said.given = options.cachedData !== undefined
      said.taken = this.cachedDataRejected === false
    }
  }
  timers.setTimeout = (run, milliseconds, ...rest) => {
    if (milliseconds === 1000) said.keeps = true
    return setTimeout(run, milliseconds === 1000 && how.includes('at-once') ? 1 : milliseconds, ...rest)
  }
  const { defineServer, createTestClient } = await import(`${folder}/dist/index.js`)
  Object.assign(vm, { Script })
  Object.assign(timers, { setTimeout })
  const client = await createTestClient(
    defineServer({ name: 's', version: '1', tools: [{ name: 'hi', run: () => 'hi' }] }),
  )
  const { content } = await client.callTool('hi', {})
  console.log(JSON.stringify({ ...said, answer: content[0].text }))
  process.stdin.resume()
}
