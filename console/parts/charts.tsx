import { useEffect, useState } from 'preact/hooks'
import { BUCKETS, type Bucket } from '../model/stats.ts'
import { duration, short } from '../model/text.ts'
import { messages } from '../state/session.ts'

const [WIDTH, HEIGHT] = [240, 44]
const LOOK_MS = 1000

/** Calls, errors and latency over the last five minutes. */
export function Charts() {
  const [now, tick] = useState(Date.now())
  useEffect(() => {
    const clock = setInterval(() => !document.hidden && tick(Date.now()), LOOK_MS)
    return () => clearInterval(clock)
  }, [])
  const buckets = messages.recent.read(now)
  const total = messages.recent.total(now)
  const p50 = total.p50 === undefined ? '–' : duration(total.p50)
  const p99 = total.p99 === undefined ? '–' : duration(total.p99)
  return (
    <section class="charts" aria-label="The last five minutes">
      <figure>
        <figcaption>
          <span>
            <b>{short(total.calls)}</b> calls
          </span>
          <span class={total.errors > 0 ? 'bad' : ''}>
            <b>{short(total.errors)}</b> {total.errors === 1 ? 'error' : 'errors'}
          </span>
        </figcaption>
        <Bars
          buckets={buckets}
          label={`${total.calls} calls in the last five minutes, ${total.errors} of them errors`}
        />
      </figure>
      <figure>
        <figcaption>
          <span>
            p50 <b>{p50}</b>
          </span>
          <span>
            p99 <b>{p99}</b>
          </span>
        </figcaption>
        <Lines buckets={buckets} label={`Latency: p50 ${p50}, p99 ${p99}`} />
      </figure>
    </section>
  )
}

interface ChartProps {
  readonly buckets: readonly Bucket[]
  readonly label: string
}

function Bars({ buckets, label }: ChartProps) {
  const most = Math.max(1, ...buckets.map(({ calls }) => calls))
  const step = WIDTH / BUCKETS
  const bar = (count: number, at: number) => {
    const height = (count / most) * (HEIGHT - 2)
    return count === 0
      ? ''
      : `M${(at * step).toFixed(1)},${HEIGHT}v${(-height).toFixed(1)}h${(step - 1).toFixed(1)}v${height.toFixed(1)}z`
  }
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path class="axis" d={`M0,${HEIGHT - 0.5}H${WIDTH}`} />
      <path class="bars" d={buckets.map(({ calls }, at) => bar(calls, at)).join('')} />
      <path class="bars bad" d={buckets.map(({ errors }, at) => bar(errors, at)).join('')} />
    </svg>
  )
}

/** On a scale of logarithms, since p99 is often far from p50; `h0` makes a dot of a point that stands alone. */
function Lines({ buckets, label }: ChartProps) {
  const scale = (ms: number) => Math.log10(1 + ms * 10)
  const most = Math.max(scale(10), ...buckets.map(({ p99 }) => scale(p99 ?? 0)))
  const line = (of: (bucket: Bucket) => number | undefined) =>
    buckets
      .map((bucket, at) => ({ at, value: of(bucket) }))
      .filter((point): point is { at: number; value: number } => point.value !== undefined)
      .map(({ at, value }, index) => {
        const y = HEIGHT - 2 - (scale(value) / most) * (HEIGHT - 6)
        return `${index === 0 ? 'M' : 'L'}${((at + 0.5) * (WIDTH / BUCKETS)).toFixed(1)},${y.toFixed(1)}h0`
      })
      .join('')
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path class="axis" d={`M0,${HEIGHT - 0.5}H${WIDTH}`} />
      <path class="line p99" d={line(({ p99 }) => p99)} />
      <path class="line p50" d={line(({ p50 }) => p50)} />
    </svg>
  )
}
