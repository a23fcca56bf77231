// Changes a server while real clients are connected to it by `perigee dev`, and prints what became of it:
//   npm run dev-storm -- [--edits 100] [--broken 10] [--pause 300] [--only stdio|http] [--hosts] [--clients NAME,…]
// With --hosts Claude Code, opencode and Codex are among them, as npm has them (1 GB), each before a scripted model.
// Exits with 1 when a connection was lost, a call ran old code or failed, or a change was told too often or not at all.
import { parseArgs } from 'node:util'
import { CLIENTS } from './dev-storm/clients.mjs'
import { HOSTS } from './dev-storm/hosts.mjs'
import { Project } from './dev-storm/project.mjs'
import { storm } from './dev-storm/storm.mjs'
import { printTable } from './table.mjs'

const { values } = parseArgs({
  options: {
    edits: { type: 'string', default: '100' },
    broken: { type: 'string', default: '10' },
    pause: { type: 'string', default: '300' },
    only: { type: 'string', default: 'stdio,http' },
    hosts: { type: 'boolean', default: false },
    clients: { type: 'string', default: '' },
  },
})
const edits = Number(values.edits)
const broken = Number(values.broken)
/** Nobody saves again at once; meanwhile the next process gets ready. */
const pauseMs = Number(values.pause)
const wanted = values.clients === '' ? [] : values.clients.split(',')
const clients = Object.entries({ ...CLIENTS, ...(values.hosts && HOSTS) }).filter(
  ([name]) => wanted.length === 0 || wanted.includes(name),
)
if (clients.length === 0) throw new Error(`there is no client ${values.clients}`)
const transports = values.only.split(',')

/** Whatever goes wrong, it ends. */
const PATIENCE_MS = (values.hosts ? 60 : 20) * 60_000
setTimeout(() => {
  console.error(`dev-storm: not done after ${PATIENCE_MS / 60_000} min`)
  process.exit(1)
}, PATIENCE_MS).unref()

const rows = []
let wrong = 0
for (const transport of transports) {
  // On a pipe each client has a server of its own; at a port they share one.
  const groups = transport === 'http' ? [clients] : clients.map((client) => [client])
  for (const openers of groups) {
    const project = new Project()
    try {
      for (const result of await storm(project, { transport, openers, edits, broken, pauseMs })) {
        wrong += result.wrong
        rows.push([transport, ...result.cells])
        for (const line of result.complaints) console.error(`${transport}, ${result.cells[0]}: ${line}`)
      }
    } finally {
      await project.close()
    }
  }
}
/** `seen` is what a client waits from the save to the answer, of which `ran` is the time until the new code is at it. */
const head = [
  ...['over', 'client', 'edits', 'broken', 'lost', 'failed', 'old', 'told'],
  ...['reload p95', 'ran p95', 'seen p50', 'seen p95', 'seen most', 'plain p50', 'plain p95 ms'],
]
printTable(head, rows)
console.log(wrong === 0 ? 'nothing was lost' : `${wrong} went wrong`)
process.exitCode = wrong === 0 ? 0 : 1
