// Well-behaved callers beside the attack, in a process of their own: what keeps the attacker busy must not look like
// something that the server did to others.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createClient, sleep } from './http.mjs'
import { createSocketClient } from './socket.mjs'

/** A small team: some hundred calls a second, so that one in a hundred of them is more than the worst of a few. */
const CALLERS = 4
const EVERY_MS = 10

/** How often they call before it counts, so that their own code is compiled. */
const WARM_UP = 200

/** Call again and again until they are stopped; `lap` tells how long they waited since the last one, and how often they were turned away. */
export async function startBystanders(url, headers = {}) {
  const child = fork(fileURLToPath(import.meta.url), [url, JSON.stringify(headers)], { execArgv: [] })
  const exited = once(child, 'exit')
  await Promise.race([once(child, 'message'), exited.then(ended)])
  return {
    async lap() {
      const told = once(child, 'message')
      child.send('lap')
      const [found] = await Promise.race([told, exited.then(ended)])
      return found
    },
    stop: () => child.kill('SIGKILL'),
  }
}

function ended([code, signal]) {
  throw new Error(`the callers beside the attack ended with ${code ?? signal}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [url, headers] = process.argv.slice(2)
  const isSocket = url.startsWith('/')
  await callAgain(
    isSocket
      ? await createSocketClient(url)
      : createClient(url, { sockets: CALLERS, headers: JSON.parse(headers) }),
  )
}

async function callAgain(client) {
  const call = () => client.tool('add', { a: 1, b: 2 })
  for (let round = 0; round < WARM_UP; round++) await call()
  let waits = []
  let failures = []
  process.on('message', () => {
    process.send({ calls: waits.length, failures, p99: percentile(waits, 0.99) })
    waits = []
    failures = []
  })
  process.on('disconnect', () => process.exit())
  process.send('ready')
  await Promise.all(Array.from({ length: CALLERS }, again))

  async function again() {
    for (;;) {
      const from = performance.now()
      const answer = await call().catch((error) => ({ text: error.message }))
      if (answer.status === 200) waits.push(performance.now() - from)
      else failures.push(`${answer.status ?? 'no answer'}: ${answer.text.slice(0, 120)}`)
      await sleep(EVERY_MS)
    }
  }
}

function percentile(values, share) {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
