import { printNumber } from '../../dist/bench/index.js'
import { CASES } from './cases.mjs'
import { CONTENDERS, ERAS } from './contenders.mjs'

const PANELS = [
  {
    id: 'stdio.pipelined',
    era: 'handshake',
    title: 'stdio: pipelined calls a second',
    hint: 'longer is better',
  },
  {
    id: 'stdio.cold',
    era: 'handshake',
    title: 'stdio: cold start to first answer',
    hint: 'shorter is better',
  },
  {
    id: 'http.json.16',
    era: 'handshake',
    title: `HTTP, ${ERAS.handshake.name}: requests a second`,
    hint: 'longer is better',
  },
  {
    id: 'http.json.16',
    era: 'post-only',
    title: `HTTP, ${ERAS['post-only'].name}: requests a second`,
    hint: 'longer is better',
  },
]

const [WIDTH, MARGIN, GAP] = [920, 28, 44]
const PANEL = (WIDTH - 2 * MARGIN - GAP) / 2
const [NAME, VALUE, ROW, BAR, HEADING] = [74, 52, 24, 14, 48]
const TOP = 72

const STYLE = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328 }
  .title { font-size: 18px; font-weight: 600 }
  .panel { font-size: 14px; font-weight: 600 }
  .soft { font-size: 12px; fill: #59636e }
  .ours { font-weight: 600 }
  .number { font-variant-numeric: tabular-nums }
  .peer { fill: #a8b3bf }
  .raw { fill: #d8dee4 }
  .perigee { fill: #6f42c1 }
  .inside { fill: #ffffff }
  .limit { stroke: #59636e; stroke-dasharray: 2 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .soft { fill: #9198a1 }
    .peer { fill: #57606a }
    .raw { fill: #363c44 }
    .perigee { fill: #a97bff }
    .inside { fill: #0d1117 }
    .limit { stroke: #9198a1 }
  }`

/** Bars of ratios to the limit, for a few cases that say most. */
export function drawChart(samples, { date, cpu, cores, node }) {
  const panels = PANELS.map((panel) => ({ ...panel, bars: barsOf(samples, panel) })).filter(
    ({ bars }) => bars.length > 1,
  )
  const tallest = (row) => Math.max(0, ...panels.slice(row * 2, row * 2 + 2).map(({ bars }) => bars.length))
  const rowTop = [TOP, TOP + HEADING + tallest(0) * ROW + 24]
  const height = panels.length > 2 ? rowTop[1] + HEADING + tallest(1) * ROW + 14 : rowTop[1]
  const drawn = panels.map((panel, at) =>
    drawPanel(panel, MARGIN + (at % 2) * (PANEL + GAP), rowTop[Math.floor(at / 2)]),
  )
  const label = 'Perigee and its peers, as ratios to a bare loop'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${label}">
<style>${STYLE}
</style>
<text class="title" x="${MARGIN}" y="34">Beside a bare Node loop</text>
<text class="soft" x="${MARGIN}" y="54">× raw, a bare Node loop that parses, switches and prints · ${escapeXml(`${cpu}, ${cores} cores, Node ${node}, ${date}`)}</text>
${drawn.join('\n')}
</svg>
`
}

/** The best first; the limit leads, for it is what the others are measured by. */
function barsOf(samples, { id, era }) {
  const sign = CASES[id].better === 'higher' ? -1 : 1
  return CONTENDERS.map(({ name }) => ({ name, ratio: name === 'raw' ? 1 : samples.ratio(id, name, era) }))
    .filter(({ name, ratio }) => Number.isFinite(ratio) && samples.names(id, era).includes(name))
    .sort((one, other) => rank(one.name) - rank(other.name) || sign * (one.ratio - other.ratio))
}

const rank = (name) => (name === 'raw' ? 0 : 1)

function drawPanel({ title, hint, bars }, x, y) {
  const room = PANEL - NAME - VALUE
  const longest = Math.max(...bars.map(({ ratio }) => ratio))
  const scale = (ratio) => Math.max(1.5, (ratio / longest) * room)
  const limit = (x + NAME + scale(1)).toFixed(1)
  const rows = bars.map((bar, at) => {
    const width = scale(bar.ratio)
    // A number that would stand on the line of the limit stands in its bar.
    const inside = bar.ratio < 1 && width + VALUE > scale(1)
    return drawBar(bar, { x, y: y + HEADING + at * ROW, width, inside })
  })
  return `<text class="panel" x="${x}" y="${y + 14}">${title}</text>
<text class="soft" x="${x}" y="${y + 32}">${hint}</text>
<line class="limit" x1="${limit}" x2="${limit}" y1="${y + HEADING - 6}" y2="${y + HEADING + bars.length * ROW - 6}"/>
${rows.join('\n')}`
}

function drawBar({ name, ratio }, { x, y, width, inside }) {
  const kind = name === 'raw' || name === 'perigee' ? name : 'peer'
  const weight = name === 'perigee' ? ' ours' : ''
  const left = x + NAME
  const end = left + width + (inside ? -8 : 8)
  const place = inside ? ' inside' : ''
  return `<text class="name${weight}" x="${left - 10}" y="${y + 11}" text-anchor="end">${escapeXml(name)}</text>
<rect class="${kind}" x="${left}" y="${y - 1}" width="${width.toFixed(1)}" height="${BAR}" rx="2"/>
<text class="number${weight}${place}" x="${end.toFixed(1)}" y="${y + 11}"${inside ? ' text-anchor="end"' : ''}>${printNumber(ratio)} ×</text>`
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
