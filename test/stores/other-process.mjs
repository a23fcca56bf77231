/** Shares a store with the test: waits for a notice, appends as the test does, and tells. */
import { once } from 'node:events'
import { openStore } from '../../dist/index.js'

const store = openStore(process.argv[2])
const heard = new Promise((resolve) => {
  void store.subscribe('topic', resolve).then(() => console.log('listening'))
})
await Promise.all(Array.from({ length: 50 }, () => store.append('log', 'there')))
// The clock of the store keeps no process up.
const clock = setInterval(() => {}, 1000)
console.log(`heard ${JSON.stringify(await heard)}, appended 50`)
await store.publish('topic', 'from there')
await once(process.stdin.resume(), 'end')
clearInterval(clock)
await store.close()
