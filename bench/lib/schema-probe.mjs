// One library in a process of its own: what it takes before the first check, in milliseconds.
import { createRequire } from 'node:module'
import { createLaps } from './laps.mjs'
import { before, createSchema, LIBRARIES, VALID } from './schema-libraries.mjs'

const [name, bundle] = process.argv.slice(2)
const value = JSON.parse(VALID)
await import('./nothing.mjs') // The loaders themselves are warm.
createRequire(import.meta.url)('./nothing.cjs')
await before[name]?.()
const lap = createLaps()
lap()

const compile = await LIBRARIES[name](bundle)
const load = lap()
const first = await compile(createSchema())
const once = lap()
first(value)
const check = lap()
for (let count = 0; count < 100; count++) await compile(createSchema())
const hundred = lap()
console.log(JSON.stringify({ load, once, check, hundred }))
