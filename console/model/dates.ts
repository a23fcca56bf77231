/** An instant as the browser's field for it has it: local, to the second. */
export function toLocal(instant: unknown): string {
  const at = typeof instant === 'string' ? new Date(instant) : new Date(Number.NaN)
  if (Number.isNaN(at.getTime())) return ''
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  const seconds = at.getSeconds() === 0 ? '' : `:${two(at.getSeconds())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}${seconds}`
}

/** The other way round, as RFC 3339 wants it. */
export function toInstant(local: string): string | undefined {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().replace('.000Z', 'Z')
}
