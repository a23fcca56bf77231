/** The years that the ephemeris reaches; before 1 and after 9999 they are written with a sign and six digits. */
export const YEARS = { first: -4000, last: 9999 } as const

/** A calendar date with or without hyphens, and a time of day with or without colons. */
const FORMAT =
  /^(?<year>\d{4}|[+-]\d{6})(?<hyphen>-?)(?<month>\d\d)\k<hyphen>(?<day>\d\d)(?:[Tt ](?<hours>\d\d)(?::?(?<minutes>\d\d)(?::?(?<seconds>\d\d)(?:[.,](?<fraction>\d+))?)?)?(?:[Zz]|(?<sign>[+-])(?<zoneHours>\d\d)(?::?(?<zoneMinutes>\d\d))?)?)?$/

/** A year with a sign, and with too few or too many digits. */
const SHORT_YEAR = /^[+-]\d+-\d\d-\d\d/
const SIX_DIGITS = 'a year with a sign has six digits: -000584-05-28'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Milliseconds since 1970 for an ISO 8601 date or date-time; without an offset it is UTC. */
export function parseDatetime(text: string): number {
  const parts = FORMAT.exec(text.trim())?.groups
  if (parts === undefined)
    throw new Error(refusal(text, SHORT_YEAR.test(text.trim()) ? SIX_DIGITS : undefined))
  const instant = parseDay(text, parts) + parseTime(text, parts) - parseOffset(text, parts)
  if (parts['seconds'] === '60' && startOfSecond(instant) % DAY !== 0)
    throw new Error(refusal(text, 'only the last minute of a day, in UTC, may have a second 60'))
  const year = new Date(instant).getUTCFullYear()
  if (!(year >= YEARS.first && year <= YEARS.last)) {
    throw new Error(
      `datetime: expected a year from ${YEARS.first} to ${YEARS.last} (in UTC), got ${quote(text)}`,
    )
  }
  return instant
}

/** Absent, empty and null are now. */
export function parseOrNow(text: string | null | undefined): number {
  const given = text?.trim() ?? ''
  return given === '' ? Date.now() : parseDatetime(given)
}

/** The same for an argument of another name, which its errors say. */
export function parseNamed(name: string, text: string): number {
  try {
    return parseDatetime(text)
  } catch (error) {
    throw new Error((error as Error).message.replace(/^datetime/, name))
  }
}

/** Whole seconds; rounding would make the last second of a day the first of the next. */
export function startOfSecond(instant: number): number {
  return Math.floor(instant / SECOND) * SECOND
}

type Parts = { readonly [name: string]: string | undefined }

/** A day that the calendar does not have would silently become one of the next month. */
function parseDay(text: string, { year, month, day }: Parts): number {
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  // A year beyond all calendars gives NaN, which is refused as a year.
  const moved = date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)
  if (moved && !Number.isNaN(date.getTime()))
    throw new Error(refusal(text, `there is no day ${day} in month ${month} of that year`))
  return date.getTime()
}

/** 24:00:00 is the end of a day, and a leap second is the second before the next one. */
function parseTime(text: string, { hours, minutes, seconds, fraction }: Parts): number {
  const [hour, minute, second] = [Number(hours ?? 0), Number(minutes ?? 0), Number(seconds ?? 0)]
  const time = hour * HOUR + minute * MINUTE + (second + Number(`0.${fraction ?? 0}`)) * SECOND
  if (minute > 59 || second > 60 || hour > 24 || (hour === 24 && time > DAY)) {
    throw new Error(refusal(text, 'a time of day runs from 00:00:00 to 24:00:00'))
  }
  return time
}

function parseOffset(text: string, { sign, zoneHours, zoneMinutes }: Parts): number {
  const [hour, minute] = [Number(zoneHours ?? 0), Number(zoneMinutes ?? 0)]
  if (hour > 23 || minute > 59) throw new Error(refusal(text, 'an offset from UTC is at most 23:59'))
  return (hour * HOUR + minute * MINUTE) * (sign === '-' ? -1 : 1)
}

function refusal(text: string, reason?: string): string {
  const because = reason === undefined ? '' : `: ${reason}`
  return `datetime: expected an ISO 8601 date such as 2026-11-15 or 2026-11-15T22:30:00Z, got ${quote(text)}${because}`
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
