const SECOND = 1000
const MINUTE = 60 * SECOND

/** As almanacs do: rounded, because the ephemeris is good to some seconds and not to thousandths. */
export function printNearestSecond(instant: number): string {
  return printSecond(Math.round(instant / SECOND) * SECOND)
}

export function printNearestMinute(instant: number): string {
  return printMinute(Math.round(instant / MINUTE) * MINUTE)
}

/** A clock that is asked for the time does not round it. */
export function printClock(instant: number): string {
  return printMinute(Math.floor(instant / MINUTE) * MINUTE)
}

export function printSecond(instant: number): string {
  return new Date(instant).toISOString().replace('.000', '')
}

function printMinute(instant: number): string {
  return new Date(instant)
    .toISOString()
    .replace('T', ' ')
    .replace(/:\d\d\.\d+Z$/, ' UTC')
}
