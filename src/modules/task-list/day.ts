/** The date on the calendar of whoever runs the server: a task list is a personal thing. */
export function dayOf(instant: Date): string {
  const parts = [instant.getFullYear(), instant.getMonth() + 1, instant.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

/** The instant at which the day before a day began. */
export function startOfDayBefore(day: string): Date {
  const instant = new Date(`${day}T00:00:00`)
  instant.setDate(instant.getDate() - 1)
  return instant
}
