/** A day on the calendar, and a time of it, as clocks somewhere show them. */
export interface LocalTime {
  /** Such as 2026-11-20. */
  readonly date: string
  /** Such as 15:00:00. */
  readonly time: string
}

/** What clocks in a zone show; in the zone of this process unless another is named. */
export function localTime(instant: Date, zone?: string): LocalTime {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  return {
    date: `${parts['year']?.padStart(4, '0')}-${parts['month']}-${parts['day']}`,
    time: `${parts['hour']}:${parts['minute']}:${parts['second']}`,
  }
}

/** The instant at which clocks in a zone show a time; of two, the first; where they skip it, the one after the gap. */
export function instantOf({ date, time }: LocalTime, zone?: string): Date {
  const shown = Date.parse(`${date}T${time}Z`)
  const candidates = [-DAY_MS, DAY_MS].map((shift) => shown - offsetMs(new Date(shown + shift), zone))
  const exact = candidates.filter((one) => one + offsetMs(new Date(one), zone) === shown)
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates))
}

/** How far clocks in a zone are ahead of UTC, as `+01:00`. */
export function printOffset(instant: Date, zone?: string): string {
  const minutes = Math.round(offsetMs(instant, zone) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${pad(hours)}:${pad(rest)}`
}

export function checkZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    throw new Error(`zone: expected a time zone such as Europe/Berlin or UTC, got ${JSON.stringify(zone)}`)
  }
}

const DAY_MS = 86_400_000

function offsetMs(instant: Date, zone?: string): number {
  const { date, time } = localTime(instant, zone)
  return Date.parse(`${date}T${time}Z`) - Math.floor(instant.getTime() / 1000) * 1000
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}

const formats = new Map<string | undefined, Intl.DateTimeFormat>()

/** One is dear to make. A server has one zone. */
function formatOf(zone?: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    ...(zone !== undefined && { timeZone: zone }),
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  })
  formats.set(zone, made)
  return made
}
