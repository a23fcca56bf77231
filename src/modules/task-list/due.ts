const FORMAT =
  /^(?<date>(?:19|2\d)\d\d-\d\d-\d\d)(?<time>T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/i

const EXPECTED =
  'expected a date such as 2026-11-20, or a time with its offset such as 2026-11-20T15:00:00+01:00'

/** A date that the calendar has, or a date-time that says how far it is from UTC. */
export function checkDue(name: string, text: string): string {
  const due = text.trim().toUpperCase()
  const date = FORMAT.exec(due)?.groups?.['date']
  if (date === undefined || !isOnCalendar(date)) throw new Error(`${name}: ${EXPECTED}, got ${quote(text)}`)
  return due
}

export function checkDate(name: string, text: string): string {
  const date = checkDue(name, text)
  if (date.includes('T')) throw new Error(`${name}: expected a date such as 2026-11-20, got ${quote(text)}`)
  return date
}

/** The last instant at which something due then is in time: a date lasts until its end, in UTC. */
export function endOf(due: string): string {
  return due.includes('T') ? new Date(due).toISOString() : `${due}T23:59:59.999Z`
}

export function beginningOf(due: string): string {
  return new Date(due).toISOString()
}

/** A day that the calendar does not have would silently become one of the next month. */
function isOnCalendar(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date)
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
