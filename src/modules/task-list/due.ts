import { isOnCalendar } from './calendar.ts'
import { type DueSpeaker, parseDueWords } from './due-words.ts'
import { instantOf, localTime } from './zone.ts'

const FORMAT =
  /^(?<date>(?:19|2\d)\d\d-\d\d-\d\d)(?<time>T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/i

const EXPECTED =
  'expected a date such as 2026-11-20, tomorrow or next friday, or a time with its offset such as 2026-11-20T15:00:00+01:00'

/** A date that the calendar has, or a date-time that says how far it is from UTC. */
export function checkDue(name: string, text: string): string {
  const due = text.trim().toUpperCase()
  if (!isDue(due)) throw new Error(`${name}: ${EXPECTED}, got ${quote(text)}${whyNot(due)}`)
  return due
}

/** What is written as a date and is none gets its reason. */
function whyNot(due: string): string {
  const [date, year] = /^(\d{4})-\d\d-\d\d/.exec(due) ?? []
  if (date === undefined) return ''
  if (!isOnCalendar(date)) return `: there is no day ${date}`
  if (!/^(19|2\d)/.test(year ?? '')) return ': years are from 1900 to 2999'
  return due.includes('T') && !/(Z|[+-]\d\d:\d\d)$/.test(due) ? ': how far is that from UTC?' : ''
}

function isDue(due: string): boolean {
  const date = FORMAT.exec(due)?.groups?.['date']
  return date !== undefined && isOnCalendar(date)
}

/** The same, or English words for it. */
export function readDue(name: string, text: string, speaker: DueSpeaker): string {
  const due = parseDueWords(text, speaker)
  return due !== undefined && isDue(due) ? due : checkDue(name, text)
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

/** What is due before something: times before its instant, and dates before what clocks in a zone show then. */
export function boundsOf(
  due: string,
  zone?: string,
): { readonly dueBefore: string; readonly datesBefore: string } {
  const isDate = !due.includes('T')
  const instant = isDate ? instantOf({ date: due, time: '00:00:00' }, zone) : new Date(due)
  const { date, time } = localTime(instant, zone)
  return {
    dueBefore: instant.toISOString(),
    datesBefore: isDate ? `${due}T00:00:00.000Z` : `${date}T${time}.000Z`,
  }
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
