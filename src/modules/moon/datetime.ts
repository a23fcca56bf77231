/** The years for which the answers have been held against almanacs. */
export const YEARS = { first: 1900, last: 2100 } as const

const FORMAT =
  /^(?<date>\d{4}-(?<month>\d\d)-(?<day>\d\d))(?:[Tt ](?<hours>\d\d):(?<minutes>\d\d)(?::(?<seconds>\d\d)(?:[.,](?<fraction>\d+))?)?(?:[Zz]|(?<sign>[+-])(?<zoneHours>\d\d)(?::?(?<zoneMinutes>\d\d))?)?)?$/

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds since 1970 for an ISO 8601 date or date-time; without an offset it is UTC. */
export function parseDatetime(text: string): number {
  const parts = FORMAT.exec(text.trim())?.groups
  if (parts === undefined) throw new Error(refusal(text))
  const instant = parseDay(text, parts) + parseTime(text, parts) - parseOffset(text, parts)
  const year = new Date(instant).getUTCFullYear()
  if (year < YEARS.first || year > YEARS.last) {
    throw new Error(
      `datetime: expected a year from ${YEARS.first} to ${YEARS.last} (in UTC), got ${quote(text)}`,
    )
  }
  return instant
}

type Parts = { readonly [name: string]: string | undefined }

/** A day that the calendar does not have would silently become one of the next month. */
function parseDay(text: string, { date = '', month, day }: Parts): number {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date)
  if (!exists) throw new Error(refusal(text, `there is no day ${day} in month ${month} of that year`))
  return midnight
}

function parseTime(text: string, { hours, minutes, seconds, fraction }: Parts): number {
  const [hour, minute, second] = [Number(hours ?? 0), Number(minutes ?? 0), Number(seconds ?? 0)]
  if (hour > 23 || minute > 59 || second > 59) {
    throw new Error(refusal(text, 'a time of day runs from 00:00:00 to 23:59:59'))
  }
  return hour * HOUR + minute * MINUTE + (second + Number(`0.${fraction ?? 0}`)) * SECOND
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
