import { createClient, sleep } from './http.mjs'

/** A well-behaved caller beside the attack: it calls again and again, and notes how long it waits. */
export function startBystander(url, { headers, everyMs = 20 } = {}) {
  const client = createClient(url, { sockets: 2, headers })
  const waits = []
  const failures = []
  let going = true
  const ended = (async () => {
    while (going) {
      const from = performance.now()
      const answer = await client.tool('add', { a: 1, b: 2 }).catch((error) => ({ text: error.message }))
      if (answer.status === 200) waits.push(performance.now() - from)
      else failures.push(`${answer.status ?? 'no answer'}: ${answer.text.slice(0, 120)}`)
      await sleep(everyMs)
    }
    client.close()
  })()
  return {
    async stop() {
      going = false
      await ended
      return { calls: waits.length, failures, p99: percentile(waits, 0.99) }
    },
  }
}

function percentile(values, share) {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
