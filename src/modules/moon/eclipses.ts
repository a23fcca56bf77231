import {
  instantOf,
  NextGlobalSolarEclipse,
  NextLunarEclipse,
  Observer,
  SearchGlobalSolarEclipse,
  SearchLocalSolarEclipse,
  SearchLunarEclipse,
  timeOf,
} from './engine.ts'
import type { EventFacts, Events, SeenEclipse } from './events.ts'
import { printNearestSecond } from './printed.ts'
import { type MoonPlace, moonAltitude } from './seen.ts'

const MINUTE = 60_000
const DAY = 86_400_000

/** Of the Moon: the same for everybody who has it above the horizon. */
export function* lunarEclipsesFrom(from: number, place?: MoonPlace): Events {
  for (let next = SearchLunarEclipse(timeOf(from)); ; next = NextLunarEclipse(next.peak)) {
    const at = instantOf(next.peak)
    const altitude = place && tenth(moonAltitude(at, place))
    const lasts = {
      penumbralMinutes: Math.round(2 * next.sd_penum),
      partialMinutes: Math.round(2 * next.sd_partial),
      totalMinutes: Math.round(2 * next.sd_total),
    }
    const visible = place !== undefined && isUpDuring(at, lasts, place)
    const here = altitude === undefined ? {} : { here: { visible, altitude } }
    yield {
      at,
      event: `${next.kind} lunar eclipse`,
      facts: { obscured: percentOf(next.obscuration), ...lasts, ...here },
      words: `${sayLasting(lasts)}${altitude === undefined ? '' : `, ${sayAltitude(altitude, visible)}`}`,
    }
  }
}

function sayLasting({ totalMinutes = 0, partialMinutes = 0, penumbralMinutes = 0 }: EventFacts): string {
  if (totalMinutes > 0) return `total for ${totalMinutes} minutes`
  return partialMinutes > 0
    ? `partial for ${partialMinutes} minutes`
    : `penumbral for ${penumbralMinutes} minutes`
}

/** A Moon that rises or sets meanwhile shows a part of it; how the penumbra comes and goes is seen by nobody. */
function isUpDuring(greatest: number, { partialMinutes = 0 }: EventFacts, place: MoonPlace): boolean {
  const half = (partialMinutes / 2) * MINUTE
  return [greatest - half, greatest, greatest + half].some((at) => moonAltitude(at, place) > 0)
}

function sayAltitude(altitude: number, visible: boolean): string {
  if (!visible) return 'not seen there'
  return altitude > 0
    ? `the Moon ${altitude}° above the horizon there`
    : `the Moon is above the horizon there for a part of it, and ${-altitude}° below when it is greatest`
}

/** Of the Sun: where it is greatest, and what becomes of it at a place. */
export function* solarEclipsesFrom(from: number, place?: MoonPlace): Events {
  const seenHere = place && seenFrom(from, place)
  for (let next = SearchGlobalSolarEclipse(timeOf(from)); ; next = NextGlobalSolarEclipse(next.peak)) {
    const at = instantOf(next.peak)
    const { latitude, longitude } = next
    const here = seenHere?.(at)
    yield {
      at,
      event: `${next.kind} solar eclipse`,
      facts: {
        ...(latitude !== undefined &&
          longitude !== undefined && {
            greatestAt: { latitude: tenth(latitude), longitude: tenth(longitude) },
          }),
        ...(here && { here }),
      },
      words: here === undefined ? '' : saySeen(here),
    }
  }
}

/** Eclipses that are seen at a place are looked for from one to the next, which may be years away. */
function seenFrom(from: number, { latitude, longitude }: MoonPlace): (at: number) => SeenEclipse {
  const observer = new Observer(latitude, longitude, 0)
  let local = SearchLocalSolarEclipse(timeOf(from - DAY), observer)
  return (at) => {
    while (instantOf(local.peak.time) < at - DAY) local = SearchLocalSolarEclipse(timeOf(at - DAY), observer)
    const { kind, obscuration, peak, partial_begin, partial_end } = local
    if (instantOf(peak.time) > at + DAY) return { visible: false }
    return {
      visible: true,
      kind,
      obscured: percentOf(obscuration),
      altitude: tenth(peak.altitude),
      begins: printNearestSecond(instantOf(partial_begin.time)),
      greatest: printNearestSecond(instantOf(peak.time)),
      ends: printNearestSecond(instantOf(partial_end.time)),
    }
  }
}

function saySeen({ visible, kind, obscured, begins, ends, altitude = 0 }: SeenEclipse): string {
  if (!visible) return 'not seen there'
  const below = altitude < 0 ? `, but the Sun is ${-altitude}° below the horizon when it is greatest` : ''
  return `${kind} there, ${obscured}% covered, ${begins} to ${ends}${below}`
}

/** What is not all of it is not said to be. */
function percentOf(part: number): number {
  return part < 1 ? Math.min(99, Math.round(part * 100)) : 100
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10
}
