// Loaded into the process under attack: tells, when asked, what is left after a collection and how long its loop was held.
import { readFileSync } from 'node:fs'
import { PerformanceObserver } from 'node:perf_hooks'

const RESOLUTION_MS = 5

const clock = { wall: performance.now(), work: workedMs() }
let most = { held: 0, work: 0, collecting: 0 }

setInterval(() => {
  const [wall, work] = [performance.now(), workedMs()]
  note('held', wall - clock.wall - RESOLUTION_MS)
  note('work', work - clock.work)
  Object.assign(clock, { wall, work })
}, RESOLUTION_MS).unref()

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) note('collecting', duration)
}).observe({ entryTypes: ['gc'] })

process.on('message', (question) => void answer(question))
process.channel?.unref()

/** The longest time between two looks that the loop was away, was at work itself, and collected garbage at a stretch. */
function note(what, ms) {
  if (ms > most[what]) most[what] = ms
}

/** What this thread has had of a processor, without what it waited for one; only Linux tells. */
function workedMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}

async function answer(question) {
  if (question === 'reset') most = { held: 0, work: 0, collecting: 0 }
  process.send({ question, ...(question === 'look' && (await look())) })
}

async function look() {
  const loop = { ...most }
  for (let round = 0; round < 4; round++) {
    globalThis.gc()
    await new Promise(setImmediate)
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  return { heap: heapUsed + external, rss, loop, resources: countEach(resources) }
}

function countEach(names) {
  const counts = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
