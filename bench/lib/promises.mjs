import { printNumber } from '../../dist/bench/index.js'
import { ERAS } from './contenders.mjs'

const ratio =
  (id, era, to = 'raw') =>
  (samples) =>
    samples.ratio(id, 'perigee', era, to)

const [OLD, NEW] = ['handshake', 'post-only']
const at = (era) => ERAS[era].name

/** What Perigee promises: ratios within the same rounds, but for what a session costs. */
const PROMISES = [
  { text: 'stdio, cold start: ≤ 1.15 × raw', measured: ratio('stdio.cold', OLD), atMost: 1.15 },
  ...[OLD, NEW].flatMap((era) => [
    {
      text: `stdio ${at(era)}, pipelined calls: ≥ 0.9 × raw`,
      measured: ratio('stdio.pipelined', era),
      atLeast: 0.9,
    },
    {
      text: `stdio ${at(era)}, pipelined calls: ≥ 18 × SDK v2`,
      measured: ratio('stdio.pipelined', era, 'sdk-v2'),
      atLeast: 18,
    },
    { text: `stdio ${at(era)}, CPU a call: ≤ 1.2 × raw`, measured: ratio('stdio.cpu', era), atMost: 1.2 },
    {
      text: `stdio ${at(era)}, 1000 tools listed: ≤ 1.2 × raw`,
      measured: ratio('stdio.list', era),
      atMost: 1.2,
    },
  ]),
  ...[OLD, NEW].flatMap((era) => [
    {
      text: `HTTP ${at(era)}, 16 connections: ≥ 0.9 × raw`,
      measured: ratio('http.json.16', era),
      atLeast: 0.9,
    },
    {
      text: `HTTP ${at(era)}, 16 connections: ≥ 8 × SDK v2`,
      measured: ratio('http.json.16', era, 'sdk-v2'),
      atLeast: 8,
    },
    { text: `HTTP ${at(era)}, CPU a call: ≤ 1.2 × raw`, measured: ratio('http.cpu', era), atMost: 1.2 },
  ]),
  {
    text: `HTTP ${at(OLD)}, 16 connections: ≥ 3 × mcp-lite`,
    measured: ratio('http.json.16', OLD, 'mcp-lite'),
    atLeast: 3,
  },
  { text: 'a session, kept after a collection: ≤ 6 KiB', measured: sessionKib, atMost: 6, unit: ' KiB' },
  { text: 'memory over a million calls: flat, ≤ 1.05 ×', measured: growth, atMost: 1.05 },
]

/** The largest number of sessions that was measured says most. */
function sessionKib(samples) {
  const many = samples.value('sessions.10000', 'perigee')
  return Number.isFinite(many) ? many : samples.value('sessions.2000', 'perigee')
}

function growth(_, { perigee }) {
  return perigee === undefined ? Number.NaN : perigee.late / perigee.early
}

export function checkPromises(samples, flat) {
  return PROMISES.map(({ text, measured, atLeast = -Infinity, atMost = Infinity, unit = ' ×' }) => {
    const value = measured(samples, flat)
    const state = Number.isNaN(value)
      ? 'not measured'
      : value >= atLeast && value <= atMost
        ? 'kept'
        : 'not kept'
    return {
      text,
      value: Number.isNaN(value) ? null : Number(value.toPrecision(4)),
      shown: `${printNumber(value)}${unit}`,
      state,
    }
  })
}
