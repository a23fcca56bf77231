// Who speaks to whom, in which revision and over what.
import { NEW, SKILLS, TASKS } from '../conformance/suite.mjs'
import { PEERS } from './peers.mjs'

const all = (revision) => ['--suite', 'all', '--spec-version', revision]
const single = (name) => ['--scenario', name]

/** What the suite plays as a client of each era, with the number of scenarios that it must have played. */
export const CLIENTS = {
  '2025-06-18': { version: NEW, calls: [all('2025-06-18')], scenarios: 27 },
  '2025-11-25': { version: NEW, calls: [all('2025-11-25')], scenarios: 33 },
  '2026-07-28': {
    version: NEW,
    calls: [all('2026-07-28'), ...TASKS.map(single), ...SKILLS.map(single)],
    scenarios: 53,
  },
}

const byCommand = (revision) => ({
  revision,
  transport: 'stdio',
  entry: ({ stdio }) => ({ command: process.execPath, args: [stdio], revision }),
})

const byUrl = (revision, transport, path = '/mcp') => ({
  revision,
  transport,
  entry: ({ url }) => ({ url: new URL(path, url).href, revision }),
})

export const UPSTREAMS = [
  byCommand('2025-06-18'),
  byCommand('2025-11-25'),
  byCommand('2026-07-28'),
  byUrl('2025-06-18', 'Streamable HTTP'),
  byUrl('2025-11-25', 'Streamable HTTP'),
  byUrl('2026-07-28', 'stateless'),
  byUrl('2024-11-05', 'SSE pair', '/sse'),
]

/** All of them, each client direct first, then other bridges; the short form has those in which nothing may be missing, and a crossing of eras each way. */
export function pairings({ short, only }) {
  const bridged = Object.keys(PEERS).flatMap((peer) =>
    ['2025-11-25', '2026-07-28'].map((client) => ({ name: `${client} through ${peer}`, client, peer })),
  )
  const runs = Object.keys(CLIENTS).flatMap((client) => [
    { name: `${client}, direct`, client, upstream: undefined },
    ...UPSTREAMS.map((upstream) => ({
      name: `${client} to ${upstream.revision}, ${upstream.transport}`,
      client,
      upstream,
    })),
  ])
  return [...runs, ...bridged].filter((run) => run.name.includes(only) && (!short || isShort(run)))
}

const SHORT = [
  '2025-11-25 to 2025-11-25, Streamable HTTP',
  '2026-07-28 to 2026-07-28, stateless',
  '2025-11-25 to 2026-07-28, stateless',
  '2026-07-28 to 2025-11-25, Streamable HTTP',
]

function isShort({ name }) {
  return SHORT.includes(name)
}
