// Loaded into the process under attack: tells, when asked, what is left after a collection and how long its loop was held.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()

process.on('message', (question) => void answer(question))
process.channel?.unref()

async function answer(question) {
  if (question === 'reset') delay.reset()
  process.send({ question, ...(question === 'look' && (await look())) })
}

async function look() {
  const heldMs = delay.max / 1e6
  for (let round = 0; round < 4; round++) {
    globalThis.gc()
    await new Promise(setImmediate)
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  return { heap: heapUsed + external, rss, heldMs, resources: countEach(resources) }
}

function countEach(names) {
  const counts = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
