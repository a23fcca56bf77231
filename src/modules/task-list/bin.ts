/** How long a task that was deleted can be brought back. */
export const KEPT_DAYS = 30

/** The earliest instant of a deletion that can still be undone. */
export function keptSince(at: string): string {
  return new Date(Date.parse(at) - KEPT_DAYS * 86_400_000).toISOString()
}
