// A well-behaved caller beside the attack, in a process of its own: what keeps the attacker busy must not look like
// something that the server did to others.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createClient, sleep } from './http.mjs'

const EVERY_MS = 20

/** How often it calls before it counts, so that its own code is compiled. */
const WARM_UP = 100

/** Calls again and again until it is stopped, and tells how long it waited and how often it was turned away. */
export async function startBystander(url, headers = {}) {
  const child = fork(fileURLToPath(import.meta.url), [url, JSON.stringify(headers)], { execArgv: [] })
  const exited = once(child, 'exit')
  await Promise.race([once(child, 'message'), exited.then(ended)])
  return {
    async stop() {
      const told = once(child, 'message')
      child.send('stop')
      const [found] = await Promise.race([told, exited.then(ended)])
      await exited
      return found
    },
    kill: () => child.kill('SIGKILL'),
  }
}

function ended([code, signal]) {
  throw new Error(`the caller beside the attack ended with ${code ?? signal}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [url, headers] = process.argv.slice(2)
  await callAgain(createClient(url, { sockets: 2, headers: JSON.parse(headers) }))
}

async function callAgain(client) {
  for (let round = 0; round < WARM_UP; round++) await client.tool('add', { a: 1, b: 2 })
  let going = true
  process.once('message', () => (going = false))
  process.send('ready')
  const waits = []
  const failures = []
  while (going) {
    const from = performance.now()
    const answer = await client.tool('add', { a: 1, b: 2 }).catch((error) => ({ text: error.message }))
    if (answer.status === 200) waits.push(performance.now() - from)
    else failures.push(`${answer.status ?? 'no answer'}: ${answer.text.slice(0, 120)}`)
    await sleep(EVERY_MS)
  }
  client.close()
  process.send({ calls: waits.length, failures, p99: percentile(waits, 0.99) })
  process.disconnect()
}

function percentile(values, share) {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
