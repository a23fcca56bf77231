const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const DATE = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i
const DATE_TIME = /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i

export function isDate(text: string): boolean {
  return DATE.test(text) && isDay(text)
}

export function isTime(text: string): boolean {
  return TIME.test(text) && isMoment(text, 0)
}

export function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && isDay(text) && isMoment(text, 11)
}

/** The number that two digits are, which have been seen to be digits. */
function two(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 48 * 11
}

function isDay(text: string): boolean {
  const [year, month, day] = [two(text, 0) * 100 + two(text, 2), two(text, 5), two(text, 8)]
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (MONTHS[month - 1] ?? 0))
}

/** A time of day, from a place on to the end. */
function isMoment(text: string, at: number): boolean {
  const [hour, minute, second] = [two(text, at), two(text, at + 3), two(text, at + 6)]
  const isUtc = /z$/i.test(text)
  const [offsetHour, offsetMinute] = isUtc ? [0, 0] : [two(text, text.length - 5), two(text, text.length - 2)]
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false
  if (second <= 59) return true
  const offset = (offsetHour * 60 + offsetMinute) * (text.at(-6) === '-' ? -1 : 1)
  return second === 60 && (hour * 60 + minute - offset + 2880) % 1440 === 1439 // A leap second ends a day in UTC.
}

const DURATION =
  /^P(?!$)(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/

export function isDuration(text: string): boolean {
  return DURATION.test(text)
}
