const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function isDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? []
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (MONTHS[month - 1] ?? 0))
}

export function isTime(text: string): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text)
  if (parts === null) return false
  const [hour = 0, minute = 0, second = 0, , offsetHour = 0, offsetMinute = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0))
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false
  if (second <= 59) return true
  const offset = (offsetHour * 60 + offsetMinute) * (parts[4] === '-' ? -1 : 1)
  return second === 60 && (hour * 60 + minute - offset + 2880) % 1440 === 1439 // A leap second ends a day in UTC.
}

export function isDateTime(text: string): boolean {
  return /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11))
}

const DURATION =
  /^P(?!$)(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/

export function isDuration(text: string): boolean {
  return DURATION.test(text)
}
