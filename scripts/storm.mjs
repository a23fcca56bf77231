// Three nodes behind a balancer without stickiness, clients of all revisions, and a node that dies every five seconds.
//   npm run storm -- [--engine redis] [--short] [--sessions 200] [--seconds 300] [--kill-every 5]
// Counted by the clients: what was lost, came twice or out of order, hung, or failed without a death to explain it.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { CONTENDERS } from './storm/contenders.mjs'
import { ENGINES } from './storm/engines.mjs'
import { printReport } from './storm/report.mjs'
import { keepResults } from './storm/results.mjs'
import { Storm } from './storm/storm.mjs'
import { checksOf, summarise } from './storm/summary.mjs'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true, default: ['redis', 'postgres'] },
    contender: { type: 'string', default: 'perigee' },
    short: { type: 'boolean', default: false },
    sessions: { type: 'string', default: '200' },
    seconds: { type: 'string' },
    'kill-every': { type: 'string', default: '5' },
    /** Milliseconds between two things that a client does. */
    pause: { type: 'string', default: '3000' },
    /** Seconds for which the engine is away after the kills. */
    outage: { type: 'string', default: '10' },
    /** Whether bench/results is written. */
    keep: { type: 'boolean', default: false },
  },
})

const SIGNALS = ['SIGINT', 'SIGTERM']

const machine = () =>
  `${new Date().toISOString().slice(0, 10)}, ${cpus()[0].model}, ${cpus().length} cores, Node ${process.versions.node}`

const results = {}
for (const name of values.engine) {
  const engine = await ENGINES[name]()
  const leave = () => void engine.stop().finally(() => process.exit(1))
  for (const signal of SIGNALS) process.once(signal, leave)
  try {
    const storm = await new Storm({ ...optionsOf(values), engine }).run()
    const summary = { ...summarise(storm), sessions: Number(values.sessions), machine: machine() }
    results[`${values.contender}, ${name}`] = summary
    printReport(`${values.contender}, ${name}`, storm, summary)
  } finally {
    for (const signal of SIGNALS) process.off(signal, leave)
    await engine.stop()
  }
}
if (values.keep) keepResults(results)
const checks = Object.values(results).flatMap(checksOf)
const failed = checks.filter((good) => !good).length
console.log(`${checks.length - failed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)

function optionsOf({ contender, sessions, seconds, short, pause, outage, 'kill-every': killEvery }) {
  return {
    contender: CONTENDERS[contender],
    sessions: Number(sessions),
    seconds: Number(seconds ?? (short ? 30 : 300)),
    killEveryMs: Number(killEvery) * 1000,
    pauseMs: Number(pause),
    endEvery: 30,
    outageMs: Number(outage) * 1000,
  }
}
