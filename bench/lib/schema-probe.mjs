// One library in a process of its own: what it takes before the first check, in milliseconds of processor time.
import { createSchema, LIBRARIES, VALID } from './schema-libraries.mjs'

const [name, bundle] = process.argv.slice(2)
const value = JSON.parse(VALID)
const now = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
await import('./nothing.mjs') // The loader itself is warm.
const times = [now()]
const lap = () => times.push(now())

const compile = await LIBRARIES[name](bundle)
lap()
const first = await compile(createSchema())
lap()
first(value)
lap()
for (let count = 0; count < 100; count++) await compile(createSchema())
lap()
const [load, once, check, hundred] = times.slice(1).map((time, index) => time - times[index])
console.log(JSON.stringify({ load, once, check, hundred }))
