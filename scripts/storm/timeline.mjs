const [WIDTH, MARGIN, LEFT] = [920, 28, 74]
const [HEADING, LATENCY, ERRORS, GAP] = [40, 84, 34, 40]
const PANEL = HEADING + LATENCY + ERRORS + GAP
const TOP = 92

/** The longest latency that is drawn; what is longer ends at the top. */
const MOST_MS = 10_000

const STYLE = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328 }
  .title { font-size: 18px; font-weight: 600 }
  .panel { font-size: 14px; font-weight: 600 }
  .soft { font-size: 12px; fill: #59636e }
  .axis { stroke: #d8dee4 }
  .kill { stroke: #a8b3bf; stroke-dasharray: 2 3 }
  .away { fill: #d8dee4 }
  .p99 { fill: none; stroke: #a8b3bf; stroke-width: 1.5 }
  .p50 { fill: none; stroke: #6f42c1; stroke-width: 1.5 }
  .error { fill: #a8b3bf }
  .wrong { fill: #cf222e }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .soft { fill: #9198a1 }
    .axis, .away { stroke: #363c44 }
    .away { fill: #363c44 }
    .kill, .p99 { stroke: #57606a }
    .error { fill: #57606a }
    .p50 { stroke: #a97bff }
    .wrong { fill: #f85149 }
  }`

/** Kills, latency and errors over time, one panel a run. */
export function drawTimeline(runs) {
  const height = TOP + runs.length * PANEL
  const drawn = runs.map((run, place) => drawRun(run, TOP + place * PANEL))
  const label = 'Storms: latency and errors while nodes are killed'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${label}">
<style>${STYLE}
</style>
<text class="title" x="${MARGIN}" y="34">In the storm</text>
<text class="soft" x="${MARGIN}" y="54">above: a call that answers at once, p50 and p99 of each second · dashed: a node is killed · shaded: the engine is away</text>
<text class="soft" x="${MARGIN}" y="71">below: calls that ended in the one error they were owed, and in red what must not be</text>
${drawn.join('\n')}
</svg>
`
}

function drawRun({ title, timeline }, top) {
  const { kills, outages, seconds } = timeline
  const x = (second) => LEFT + (second / seconds.length) * (WIDTH - MARGIN - LEFT)
  const [upper, middle] = [top + HEADING, top + HEADING + LATENCY]
  const y = (ms) => middle - (Math.log10(Math.max(1, Math.min(ms, MOST_MS))) / Math.log10(MOST_MS)) * LATENCY
  const most = Math.max(1, ...seconds.map(([, , , errors, wrongs]) => errors + wrongs))
  const bottom = middle + ERRORS + 6
  return [
    `<text class="panel" x="${MARGIN}" y="${top + 14}">${escapeXml(title)}</text>`,
    ...outages.map(
      ({ from, until }) =>
        `<rect class="away" x="${f(x(from))}" y="${upper}" width="${f(x(until) - x(from))}" height="${bottom - upper}"/>`,
    ),
    ...[1, 100, 10_000].map((ms) => mark(y(ms), ms < 1000 ? `${ms} ms` : `${ms / 1000} s`)),
    ...kills.map(
      ({ at }) => `<line class="kill" x1="${f(x(at))}" x2="${f(x(at))}" y1="${upper}" y2="${bottom}"/>`,
    ),
    ...['p99', 'p50'].map((name, place) =>
      drawLine(
        name,
        seconds.map((one) => one[2 - place]),
        { x, y },
      ),
    ),
    ...seconds.map(([, , , errors, wrongs], at) =>
      drawErrors({ errors, wrongs, most }, x(at), { bottom, x }),
    ),
    `<line class="axis" x1="${LEFT}" x2="${WIDTH - MARGIN}" y1="${bottom}" y2="${bottom}"/>`,
    `<text class="soft" x="${LEFT - 8}" y="${bottom - ERRORS + 10}" text-anchor="end">${most}</text>`,
    ...ticksOf(seconds.length).map(
      (at) => `<text class="soft" x="${f(x(at))}" y="${bottom + 16}" text-anchor="middle">${at} s</text>`,
    ),
  ].join('\n')
}

const f = (number) => number.toFixed(1)

function mark(y, text) {
  return `<line class="axis" x1="${LEFT}" x2="${WIDTH - MARGIN}" y1="${f(y)}" y2="${f(y)}"/>
<text class="soft" x="${LEFT - 8}" y="${f(y + 4)}" text-anchor="end">${text}</text>`
}

/** A line that has a hole where nothing was answered. */
function drawLine(name, values, { x, y }) {
  let path = ''
  values.forEach((value, at) => {
    if (value === null) return
    const whole = at > 0 && values[at - 1] !== null
    path += `${whole ? 'L' : 'M'}${f(x(at + 0.5))} ${f(y(value))}`
  })
  return `<path class="${name}" d="${path}"/>`
}

function drawErrors({ errors, wrongs, most }, left, { bottom, x }) {
  if (errors + wrongs === 0) return ''
  const width = f(Math.max(1, x(1) - x(0) - 0.5))
  const tall = (count) => (count / most) * ERRORS
  const bar = (name, from, count) =>
    `<rect class="${name}" x="${f(left)}" y="${f(bottom - tall(from + count))}" width="${width}" height="${f(tall(count))}"/>`
  return bar('error', 0, errors) + (wrongs > 0 ? bar('wrong', errors, wrongs) : '')
}

function ticksOf(length) {
  const step = [5, 10, 30, 60, 120].find((one) => length / one <= 10) ?? 300
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, place) => place * step)
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
