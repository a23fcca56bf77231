/** TT − UT1 in seconds: measured up to 2026 (USNO, deltat.data), from there rising to what USNO's table of phases for 2100 implies, and on to where the long-term parabola is. */
const SINCE_2005 = [
  { year: 2005, seconds: 64.69 },
  { year: 2010, seconds: 66.07 },
  { year: 2015, seconds: 67.64 },
  { year: 2020, seconds: 69.36 },
  { year: 2026, seconds: 69.11 },
  { year: 2100, seconds: 120 },
  { year: 2500, seconds: 1459.68 },
] as const

/** How far uniform time is ahead of the clock, in seconds; nothing for years before 2005 and after 2500. */
export function findDeltaT(year: number): number | undefined {
  const next = SINCE_2005.findIndex((knot) => knot.year > year)
  const after = SINCE_2005[next]
  const before = SINCE_2005[next - 1]
  if (after === undefined || before === undefined) return undefined
  const share = (year - before.year) / (after.year - before.year)
  return before.seconds + share * (after.seconds - before.seconds)
}

/** Seconds by which the engine's Moon is early, for each square century from 2000: its theory is older than the tides' measure. */
const TIDAL = 3.6

/** What must be taken off uniform time for the engine to show the Moon where newer theories have it. */
export function findTidalLag(year: number): number {
  return TIDAL * ((year - 2000) / 100) ** 2
}
