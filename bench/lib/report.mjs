import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { printNumber, printTable } from '../../dist/bench/index.js'
import { CASES, HAS_LIMIT } from './cases.mjs'
import { drawChart } from './chart.mjs'
import { CONTENDERS, ERAS, ROOT } from './contenders.mjs'
import { readVersions } from './versions.mjs'

const RESULTS = join(ROOT, 'bench', 'results')
/** A generator that used more of its core than this may have been the slower of the two. */
const BUSY = 0.9

const TABLES = [
  { title: 'stdio', prefix: 'stdio.', eras: ['handshake', 'post-only'] },
  { title: 'HTTP', prefix: 'http.', eras: ['handshake', 'post-only'] },
  { title: 'Sessions and streams', prefix: /^(sessions|streams)\./, eras: ['handshake'] },
  { title: 'Footprint', prefix: /^(install|import)\./, eras: ['handshake'] },
]

export function printTables(samples) {
  return TABLES.flatMap(({ title, prefix, eras }) =>
    eras.map((era) => {
      const heading = eras.length === 1 ? title : `${title}, ${ERAS[era].name}`
      const table = printCases(samples, era, (id) =>
        typeof prefix === 'string' ? id.startsWith(prefix) : prefix.test(id),
      )
      return table === '' ? '' : `${heading}\n\n${table}`
    }),
  ).filter((text) => text !== '')
}

function printCases(samples, era, belongs) {
  const ids = Object.keys(CASES).filter((id) => belongs(id) && samples.names(id, era).length > 0)
  const names = CONTENDERS.map(({ name }) => name).filter((name) =>
    ids.some((id) => samples.names(id, era).includes(name)),
  )
  if (ids.length === 0) return ''
  const head = ['', ...ids.map((id) => [CASES[id].title, CASES[id].unit].filter(Boolean).join(', '))]
  return printTable(
    head,
    names.map((name) => [name, ...ids.map((id) => printCell(samples, id, name, era))]),
  )
}

function printCell(samples, id, name, era) {
  const value = samples.value(id, name, era)
  if (Number.isNaN(value)) return '–'
  const busy = (samples.generator(id, name, era) ?? 0) > BUSY ? ' *' : ''
  if (!HAS_LIMIT(id) || name === 'raw') return printNumber(value) + busy
  return `${printNumber(value)} (${printNumber(samples.ratio(id, name, era))} ×)${busy}`
}

export function printPromises(promises) {
  return printTable(
    ['promise', 'measured', ''],
    promises.map(({ text, shown, state }) => [text, shown, state]),
  )
}

/** Where, when and with what: a figure without them says little. */
export function describeRun(mode) {
  const [cpu] = os.cpus()
  return {
    date: new Date().toISOString().slice(0, 10),
    mode,
    cpu: cpu?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    node: process.version,
    versions: readVersions(),
  }
}

export function writeReport({ samples, flat, promises, run }) {
  mkdirSync(RESULTS, { recursive: true })
  const write = (name, text) => writeFileSync(join(RESULTS, name), text)
  write('latest.json', `${JSON.stringify(toJson({ samples, flat, promises, run }), null, 2)}\n`)
  write('latest.md', printMarkdown({ samples, flat, promises, run }))
  write('latest.svg', drawChart(samples, run))
}

function toJson({ samples, flat, promises, run }) {
  const results = Object.keys(CASES).flatMap((id) =>
    Object.keys(ERAS).flatMap((era) =>
      samples.names(id, era).map((name) => ({
        case: id,
        unit: CASES[id].unit,
        better: CASES[id].better,
        name,
        era: ERAS[era].name,
        median: round(samples.value(id, name, era)),
        ratio: HAS_LIMIT(id) ? round(samples.ratio(id, name, era)) : null,
        generator: round(samples.generator(id, name, era)),
      })),
    ),
  )
  return { ...run, promises, results, millionCalls: flat, notes: samples.notes }
}

const round = (value) => (Number.isFinite(value) ? Number(value.toPrecision(4)) : null)

function printMarkdown({ samples, flat, promises, run }) {
  const { date, mode, cpu, cores, node, versions } = run
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const tables = printTables(samples).map((text) => `## ${text}`)
  const million = Object.entries(flat).map(
    ([name, { calls, early, late }]) =>
      `- ${name}: ${printNumber(early)} MiB early, ${printNumber(late)} MiB late, over ${printNumber(calls)} calls`,
  )
  return `${[
    '# Perigee beside its peers',
    `${date}, ${mode} run, ${cpu}, ${cores} cores, Node ${node}.`,
    `${packages.join(', ')}.`,
    EXPLANATION,
    '![Ratios to the bare loop](latest.svg)',
    `## Promises\n\n${printPromises(promises)}`,
    ...tables,
    `## A million calls on stdio\n\n${million.join('\n') || 'Not measured.'}`,
    ...(samples.notes.length === 0
      ? []
      : [`## Notes\n\n${samples.notes.map((text) => `- ${text}`).join('\n')}`]),
  ].join('\n\n')}\n`
}

const EXPLANATION = `\`raw\` is a plain loop that parses, switches and prints, and checks nothing; it is what Node gives for the asking, not the best that could be written. Values are medians; in brackets stands the median ratio to \`raw\` within the same round, since contenders take turns, slice by slice. All have the same tools and check their arguments. Over HTTP, \`JSON, 16\` is 16 keep-alive connections answered in JSON (where a server can choose, it answers in JSON); \`events\` is one log notice and the answer as a stream. Memory of sessions and streams is what is kept after a collection. A star marks where the load generator used more than ${BUSY * 100} % of its core.`
