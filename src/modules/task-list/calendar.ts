/** Whether a text such as 2026-11-20 is a day: one that the calendar does not have would silently become another. */
export function isOnCalendar(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`)
  return /^\d{4}-/.test(date) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date)
}
