import { instantOf, NextLunarApsis, SearchLunarApsis, timeOf } from './engine.ts'
import type { Events } from './events.ts'

/** Where the Moon is nearest and farthest, one after the other. */
export function* apsidesFrom(from: number): Events {
  for (let next = SearchLunarApsis(timeOf(from)); ; next = NextLunarApsis(next)) {
    const distanceKm = Math.round(next.dist_km)
    yield {
      at: instantOf(next.time),
      event: next.kind === 0 ? 'perigee' : 'apogee',
      facts: { distanceKm },
      words: `${distanceKm} km`,
    }
  }
}
