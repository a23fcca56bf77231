import { OUTCOMES, WRONGS } from './ledger.mjs'

/** What is kept of a storm: counts, durations, and what happened in each second. */
export function summarise(storm) {
  const { ledger, nodes, kills, begun, ended } = storm
  const by = (key) => Object.fromEntries(countBy(ledger.settled, ({ [key]: name }) => name))
  const outcomes = by('outcome')
  return {
    nodes: nodes.length,
    seconds: Math.round((ended - begun) / 1000),
    kills: kills.length,
    calls: ledger.settled.length,
    outcomes: Object.fromEntries(OUTCOMES.map((name) => [name, outcomes[name] ?? 0])),
    kinds: by('kind'),
    revisions: by('revision'),
    counts: Object.fromEntries(ledger.counts),
    changes: { made: storm.changes.count, owed: storm.owed },
    wrongs: Object.fromEntries(
      Object.keys(WRONGS).map((what) => [what, ledger.wrongs.filter((one) => one.what === what).length]),
    ),
    crashed: storm.crashes.length,
    echo: quantiles(ledger.samples.filter(({ kind }) => kind === 'echo')),
    resume: quantiles(ledger.samples.filter(({ kind }) => kind === 'resume')),
    readiness: readinessOf(storm),
    timeline: timelineOf(storm),
  }
}

/** Whether each count is what it must be. */
export function checksOf({ wrongs, crashed, readiness }) {
  const counts = [...Object.values(wrongs), crashed].map((count) => count === 0)
  return readiness === undefined ? counts : [...counts, readiness.good]
}

export function countBy(list, nameOf) {
  const counts = new Map()
  for (const one of list) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1)
  return counts
}

function quantiles(samples) {
  const sorted = samples.map(({ ms }) => ms).sort((one, other) => one - other)
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
  return sorted.length === 0
    ? undefined
    : { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) }
}

/** A node must say that it is not ready within this time of the engine's end, and that it is within that of its return. */
const [NOTICED_MS, BACK_MS] = [5000, 3000]

function readinessOf({ ready, ledger }) {
  const [outage] = ledger.outages
  if (ready === undefined || outage === undefined) return undefined
  const asked = (path) => ready.filter((one) => one.path === path)
  const names = [...new Set(ready.map(({ node }) => node))]
  const first = (from, fits) =>
    Math.max(
      ...names.map((name) => {
        const found = asked('/readyz').find(
          ({ node, at, status }) => node === name && at >= from && fits(status),
        )
        return found === undefined ? Number.POSITIVE_INFINITY : found.at - from
      }),
    )
  const noticedMs = first(outage.from, (status) => status === 503)
  const backMs = first(outage.until, (status) => status === 200)
  const healths = Object.fromEntries(countBy(asked('/healthz'), ({ status }) => status))
  const healthy = Object.keys(healths).join() === '200'
  return {
    noticedMs,
    backMs,
    healthy,
    healths,
    good: healthy && noticedMs <= NOTICED_MS && backMs <= BACK_MS,
  }
}

/** Second by second: how long echoes took, how many calls ended in an error, and what was wrong. */
function timelineOf({ ledger, kills, begun, ended }) {
  const second = (at) => Math.floor((at - begun) / 1000)
  const length = Math.max(1, second(ended))
  const seconds = Array.from({ length }, () => ({ echoes: [], errors: 0, wrongs: 0 }))
  for (const { kind, at, ms } of ledger.samples) if (kind === 'echo') seconds[second(at)]?.echoes.push(ms)
  for (const { outcome, at, ms } of ledger.settled)
    if (outcome === 'died' || outcome === 'away') slot(seconds, second(at + ms)).errors++
  for (const { at } of ledger.wrongs) slot(seconds, second(at)).wrongs++
  const at = (time) => Math.round((time - begun) / 100) / 10
  return {
    kills: kills.map(({ at: time, node }) => ({ at: at(time), node })),
    outages: ledger.outages.map(({ from, until }) => ({ from: at(from), until: at(until) })),
    seconds: seconds.map(({ echoes, errors, wrongs }) => {
      const { p50, p99 } = quantiles(echoes.map((ms) => ({ ms }))) ?? {}
      return [echoes.length, p50 ?? null, p99 ?? null, errors, wrongs]
    }),
  }
}

/** What ends after the last second belongs to it. */
const slot = (seconds, at) => seconds[Math.min(Math.max(at, 0), seconds.length - 1)]
