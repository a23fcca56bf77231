import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { median, printNumber, printTable } from '../../dist/bench/index.js'
import { ROOT } from './contenders.mjs'
import { printPromises } from './report.mjs'
import { before, createSchema, INVALID, LIBRARIES, NEEDS_EVAL, VALID } from './schema-libraries.mjs'

const HERE = import.meta.dirname
const SLICE_MS = 60

/** JSON Schema validators beside each other, taking turns; and what a server of ours makes of it. */
export async function benchSchemas({ quick }) {
  const rounds = quick ? 3 : 11
  const folder = mkdtempSync(join(tmpdir(), 'perigee-schemas-'))
  try {
    const bundle = await bundleValidator(folder)
    const starts = measureStarts(bundle, rounds)
    const speeds = await measureSpeeds(bundle, rounds)
    const server = measureServer(rounds)
    printResults({
      starts,
      speeds,
      server,
      size: gzipSync(readFileSync(bundle, 'utf8').replace(/^\s+|^\/\/.*/gm, '')).length,
    })
    return promisesOf({ starts, speeds, server })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The validator alone, minified, as others come. */
async function bundleValidator(folder) {
  await build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    build: {
      outDir: folder,
      minify: true,
      target: 'es2023',
      rolldownOptions: { treeshake: { moduleSideEffects: false } }, // Two functions of the kernel, not all of it.
      lib: {
        entry: join(ROOT, 'src/schema/json/index.ts'),
        formats: ['es'],
        fileName: () => 'validator.mjs',
      },
    },
  })
  return join(folder, 'validator.mjs')
}

function measureStarts(bundle, rounds) {
  const samples = Object.fromEntries(Object.keys(LIBRARIES).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(LIBRARIES)) samples[name].push(probe('schema-probe.mjs', name, bundle))
  }
  return Object.fromEntries(Object.entries(samples).map(([name, all]) => [name, medians(all)]))
}

function measureServer(rounds) {
  const sample = () => ({
    ...probe('server-probe.mjs'),
    atOnce: probe('server-probe.mjs', '--at-once').call,
  })
  return medians(Array.from({ length: rounds }, sample))
}

function probe(script, ...args) {
  return JSON.parse(execFileSync(process.execPath, [join(HERE, script), ...args], { encoding: 'utf8' }))
}

function medians(samples) {
  return Object.fromEntries(
    Object.keys(samples[0]).map((key) => [key, median(samples.map((sample) => sample[key]))]),
  )
}

async function measureSpeeds(bundle, rounds) {
  const checks = {}
  for (const [name, load] of Object.entries(LIBRARIES)) {
    await before[name]?.()
    checks[name] = await (await load(bundle))(createSchema())
  }
  const samples = Object.fromEntries(Object.keys(checks).map((name) => [name, []]))
  const [valid, invalid] = [JSON.parse(VALID), JSON.parse(INVALID)]
  for (const check of Object.values(checks)) for (const value of [valid, invalid]) slice(check, value)
  for (let round = 0; round < rounds; round++) {
    for (const [name, check] of Object.entries(checks)) {
      if (check(valid) !== true || check(invalid) !== false) throw new Error(`${name} is wrong`)
      samples[name].push({ valid: slice(check, valid), invalid: slice(check, invalid) })
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, all]) => [name, medians(all)]))
}

/** Checks a second of processor time: others may be at work on this machine. */
function slice(check, value) {
  const before = process.cpuUsage()
  let count = 0
  for (const end = performance.now() + SLICE_MS; performance.now() < end; count += 1000) {
    for (let index = 0; index < 1000; index++) check(value)
  }
  const { user, system } = process.cpuUsage(before)
  return (count / (user + system)) * 1e6
}

function printResults({ starts, speeds, server, size }) {
  const head = ['', 'valid/s', 'invalid/s', 'load, ms', 'first schema, ms', '100 schemas, ms', 'without eval']
  const rows = Object.keys(LIBRARIES).map((name) => [
    name,
    printNumber(speeds[name].valid),
    printNumber(speeds[name].invalid),
    printNumber(starts[name].load),
    printNumber(starts[name].once),
    printNumber(starts[name].hundred),
    NEEDS_EVAL.has(name) ? 'no' : 'yes',
  ])
  console.log(`JSON Schema\n\n${printTable(head, rows)}\n`)
  console.log(`The validator alone: ${printNumber(size / 1024)} KiB, minified and compressed.`)
  console.log(
    `A server of 100 tools: defined in ${printNumber(server.define)} ms, first call ${printNumber(server.call)} ms, and ${printNumber(server.atOnce)} ms of a client that calls before it has read its greeting.\n`,
  )
}

function promisesOf({ starts, speeds, server }) {
  const { load } = starts['perigee, in a server']
  const promise = (text, value, kept) => ({
    text,
    shown: printNumber(value),
    state: kept ? 'kept' : 'not kept',
  })
  const { valid, invalid } = speeds.perigee
  const promises = [
    promise('schemas, load: ≤ 2 ms', load, load <= 2),
    promise('schemas, 100 tools defined: ≤ 15 ms', server.define, server.define <= 15),
    promise('schemas, a first call: ≤ 5 ms', server.call, server.call <= 5),
    promise('schemas, valid checks a second: ≥ 2.5 million', valid, valid >= 2.5e6),
    promise('schemas, invalid checks a second: ≥ 2.5 million', invalid, invalid >= 2.5e6),
  ]
  console.log(printPromises(promises))
  return promises
}
