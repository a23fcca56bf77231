import { isOnCalendar } from './calendar.ts'
import { instantOf, localTime, printOffset } from './zone.ts'

/** When it is for whoever speaks, and where. */
export interface DueSpeaker {
  readonly now: Date
  readonly zone?: string | undefined
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const UNITS: { readonly [unit: string]: (date: Date, count: number) => void } = {
  day: (date, count) => date.setUTCDate(date.getUTCDate() + count),
  week: (date, count) => date.setUTCDate(date.getUTCDate() + 7 * count),
  month: (date, count) => addMonths(date, count),
  year: (date, count) => addMonths(date, 12 * count),
}
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/**
 * What English words mean by a date, as it is kept: `tomorrow`, `next friday`, `in 2 weeks`, `friday at 15:00`;
 * undefined when it is none of these. A day alone is a date; with a time it is an instant with its offset.
 */
export function parseDueWords(text: string, { now, zone }: DueSpeaker): string | undefined {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const soon = SOON.exec(words)
  if (soon !== null) return printInstant(new Date(now.getTime() + soonMs(soon)), zone)
  const [, day = '', hour, minute = '00', half] = WITH_TIME.exec(words) ?? [undefined, words]
  const date = parseDay(day, localTime(now, zone).date)
  if (date === undefined || hour === undefined) return date
  const time = parseTime(hour, minute, half)
  return time === undefined ? undefined : printInstant(instantOf({ date, time }, zone), zone)
}

const SOON = /^in (an?|\d{1,3}) (minute|hour)s?$/

function soonMs([, count = '', unit]: RegExpExecArray): number {
  return (/^an?$/.test(count) ? 1 : Number(count)) * (unit === 'hour' ? 3_600_000 : 60_000)
}

/** A number alone is no time of day: it needs a colon, am or pm, or `at` before it. */
const WITH_TIME = /^(.+?),? (?:at (?=\d)|(?=\d{1,2}(?::\d\d| ?[ap]m)))(\d{1,2})(?::(\d\d))? ?([ap]m)?$/

function parseTime(hour: string, minute: string, half: string | undefined): string | undefined {
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
  const isTime =
    hours < 24 && Number(minute) < 60 && (half === undefined || (Number(hour) >= 1 && Number(hour) <= 12))
  return isTime ? `${String(hours).padStart(2, '0')}:${minute}:00` : undefined
}

function parseDay(words: string, today: string): string | undefined {
  const date = new Date(`${today}T00:00:00Z`)
  const found = [nearDay, weekday, span, ending].some((understands) => understands(words, date))
  if (found) return date.toISOString().slice(0, 10)
  return isOnCalendar(words) ? words : undefined
}

type Understand = (words: string, date: Date) => boolean

const NEAR: { readonly [word: string]: number } = {
  today: 0,
  tonight: 0,
  tomorrow: 1,
  'the day after tomorrow': 2,
  'day after tomorrow': 2,
  yesterday: -1,
}

const nearDay: Understand = (words, date) => {
  const days = Object.hasOwn(NEAR, words) ? NEAR[words] : undefined
  if (days !== undefined) UNITS['day']?.(date, days)
  return days !== undefined
}

/** `friday` is the next one there is, never today; `next friday` is the one of next week, weeks beginning on Mondays. */
const weekday: Understand = (words, date) => {
  const [, which, name = ''] = /^(?:(on|this|next) )?([a-z]{3,9})$/.exec(words) ?? []
  const day = DAYS.findIndex(
    (one) => one === name || (name.length <= 5 && one.startsWith(name) && name.length >= 3),
  )
  if (day < 0) return false
  const today = date.getUTCDay()
  const ahead = which === 'next' ? 7 - ((today + 6) % 7) + ((day + 6) % 7) : (day - today + 7) % 7 || 7
  UNITS['day']?.(date, ahead)
  return true
}

const span: Understand = (words, date) => {
  const [, count = '', unit = ''] =
    /^(?:in )?(\d{1,4}|an?|[a-z]{3,5}) (day|week|month|year)s?(?: from (?:now|today))?$/.exec(words) ??
    /^(next) (week|month|year)$/.exec(words) ??
    []
  const number = /^(an?|next)$/.test(count) ? 1 : /^\d/.test(count) ? Number(count) : NUMBERS.indexOf(count)
  if (unit === '' || number < 0) return false
  UNITS[unit]?.(date, number)
  return true
}

/** The last day of this week, month or year. */
const ending: Understand = (words, date) => {
  const [, unit] = /^(?:the )?end of (?:the |this )?(week|month|year)$/.exec(words) ?? []
  if (unit === 'week') UNITS['day']?.(date, (7 - date.getUTCDay()) % 7)
  else if (unit === 'month') date.setUTCMonth(date.getUTCMonth() + 1, 0)
  else if (unit === 'year') date.setUTCMonth(11, 31)
  return unit !== undefined
}

/** A month after the 31st is the last day of the next one. */
function addMonths(date: Date, count: number): void {
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + count, 1)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
}

function printInstant(instant: Date, zone?: string): string {
  const { date, time } = localTime(instant, zone)
  return `${date}T${time}${printOffset(instant, zone)}`
}
