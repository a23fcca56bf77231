import { instantOf, localTime } from './zone.ts'

/** The date on the calendar of whoever the list is of: a task list is a personal thing. */
export function dayOf(instant: Date, zone?: string): string {
  return localTime(instant, zone).date
}

/** The instant at which the day before a day began. */
export function startOfDayBefore(day: string, zone?: string): Date {
  const before = new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
  return instantOf({ date: before, time: '00:00:00' }, zone)
}
