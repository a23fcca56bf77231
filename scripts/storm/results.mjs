import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../outside.mjs'
import { CONTENDERS } from './contenders.mjs'
import { WRONGS } from './ledger.mjs'
import { drawTimeline } from './timeline.mjs'

const FILE = join(ROOT, 'bench', 'results', 'storm')

/** What was measured before stays, until the same is measured anew. */
export function keepResults(fresh) {
  const kept = existsSync(`${FILE}.json`) ? JSON.parse(readFileSync(`${FILE}.json`, 'utf8')) : {}
  const results = { ...kept, ...fresh }
  writeFileSync(`${FILE}.json`, `${JSON.stringify(results)}\n`)
  execFileSync(join(ROOT, 'node_modules', '.bin', 'biome'), ['format', '--write', `${FILE}.json`])
  const runs = Object.entries(results).sort(([one], [other]) => rank(one) - rank(other))
  writeFileSync(`${FILE}.md`, printPage(runs))
  writeFileSync(`${FILE}.svg`, drawTimeline(runs.map(([title, run]) => ({ title, timeline: run.timeline }))))
}

const ORDER = ['perigee, redis', 'perigee, postgres', 'perigee, sqlite', 'tmcp', 'SDK']
const rank = (name) => {
  const place = ORDER.findIndex((start) => name.startsWith(start))
  return place < 0 ? ORDER.length : place
}

const number = (value) => (value ?? 0).toLocaleString('en-US')
const ms = (value) =>
  value === undefined ? '–' : Number.isFinite(value) && value !== null ? `${number(value)} ms` : 'never'

/** The rows of the table: what they are called, and how they are read. */
const ROWS = [
  ['sessions at a time', (run) => number(run.sessions)],
  ['seconds', (run) => number(run.seconds)],
  ['nodes killed', (run) => number(run.kills)],
  ['requests', (run) => number(run.calls)],
  ['answered', (run) => number(run.outcomes.answered)],
  ['cancelled by their clients', (run) => number(run.outcomes.cancelled)],
  ['**died with their node: one error each**', (run) => number(run.outcomes.died)],
  ['refused or broken while the engine was away', (run) => number(run.outcomes.away)],
  ['connections cut by their clients', (run) => number(run.counts['connections cut'])],
  ['streams resumed, on whichever node', (run) => number(run.counts.resumed)],
  ['questions, answered on whichever node', (run) => number(run.counts.questions)],
  ['tasks acknowledged', (run) => number(run.counts.tasks)],
  ['tasks that another node finished', (run) => number(run.counts['tasks completed elsewhere'])],
  ['tasks that were not to be run twice, interrupted', (run) => number(run.counts['tasks interrupted'])],
  ['changes, and listeners owed them', (run) => `${number(run.changes.made)}, ${number(run.changes.owed)}`],
  ...Object.entries(WRONGS).map(([what, means]) => [
    `**${what}**: ${means}`,
    (run) => wrong(run.wrongs[what]),
  ]),
  ['**crashed**: a node ended by itself', (run) => wrong(run.crashed)],
  ['a call that answers at once: p50', (run) => ms(run.echo?.p50)],
  ['p99', (run) => ms(run.echo?.p99)],
  ['until a stream is resumed: p50', (run) => ms(run.resume?.p50)],
  ['p99', (run) => ms(run.resume?.p99)],
  ['engine away: `/readyz` says so after', (run) => ms(run.readiness?.noticedMs)],
  ['engine back: `/readyz` says so after', (run) => ms(run.readiness?.backMs)],
]

const wrong = (count) => (count === 0 ? '0' : `**${number(count)}**`)

const noteOf = (name) => {
  const { note } = CONTENDERS[name.split(', ')[0]] ?? {}
  return note === undefined ? '' : `. ${note}`
}

function printPage(runs) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return `# In the storm

\`npm run storm\`: three nodes behind a TCP balancer that gives each new connection to the next node, clients of all five revisions, each request over a connection of its own. A node is killed with \`kill -9\` every five seconds and started again a second later; then the engine itself is stopped for ten seconds. The clients count. What is in bold must be 0, apart from the one error that is owed to each call that died with its node: an error reply where the revision can resume, the broken connection where it cannot.

![Kills, latency and errors over time](storm.svg)

${line(['', ...runs.map(([name]) => name)])}
${line(['---', ...runs.map(() => '--:')])}
${ROWS.map(([name, read]) => line([name, ...runs.map(([, run]) => read(run))])).join('\n')}

${runs.map(([name, { machine }]) => `- ${name}: ${machine}${noteOf(name)}`).join('\n')}
`
}
