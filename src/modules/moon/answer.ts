import type { StructuredResult } from '../../authoring/define.ts'
import { startOfSecond } from './datetime.ts'
import { findMoon, type Moon } from './phases.ts'
import { drawMoon } from './picture.ts'
import { printPng } from './png.ts'
import { openSky } from './sky.ts'

interface Figures extends Pick<Moon, 'phase' | 'waxing'> {
  readonly datetime: string
  readonly age: number
  readonly illumination: number
  readonly nextNewMoon: string
  readonly nextFullMoon: string
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 86_400_000

/** Answers that are kept: many ask for now, and those of one second are given one answer. */
const MAX_KEPT = 64
const kept = new Map<number, Promise<StructuredResult<Figures>>>()

/** What the tool says about an instant: words, a picture and figures. */
export function answer(instant: number): Promise<StructuredResult<Figures>> {
  const second = startOfSecond(instant)
  const known = kept.get(second)
  if (known !== undefined) return known
  const [oldest] = kept.keys()
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  const made = openSky().then((sky) => printMoon(findMoon(sky, second)))
  kept.set(second, made)
  return made
}

function printMoon(moon: Moon): StructuredResult<Figures> {
  const age = Math.round(((moon.instant - moon.lastNewMoon) / DAY) * 100) / 100
  const illumination = Math.round(moon.illumination * 100)
  const { phase, waxing } = moon
  const text =
    `${phase.charAt(0).toUpperCase()}${phase.slice(1)} on ${printMinute(startOfMinute(moon.instant))}: ` +
    `${age} ${age === 1 ? 'day' : 'days'} old and ${illumination}% illuminated. ` +
    `Next full moon: ${printMinute(nearestMinute(moon.nextFullMoon))}; ` +
    `next new moon: ${printMinute(nearestMinute(moon.nextNewMoon))}.`
  const data = Buffer.from(printPng(drawMoon(moon))).toString('base64')
  return {
    content: [
      { type: 'text', text },
      { type: 'image', data, mimeType: 'image/png' },
    ],
    structuredContent: {
      datetime: printSecond(moon.instant),
      phase,
      age,
      illumination,
      waxing,
      nextNewMoon: printSecond(nearestSecond(moon.nextNewMoon)),
      nextFullMoon: printSecond(nearestSecond(moon.nextFullMoon)),
    },
  }
}

/** As almanacs do: rounded, because the ephemeris is good to some seconds and not to thousandths. */
function nearestSecond(instant: number): number {
  return Math.round(instant / SECOND) * SECOND
}

function nearestMinute(instant: number): number {
  return Math.round(instant / MINUTE) * MINUTE
}

/** A clock that is asked for the time does not round it. */
function startOfMinute(instant: number): number {
  return Math.floor(instant / MINUTE) * MINUTE
}

function printSecond(instant: number): string {
  return new Date(instant).toISOString().replace('.000', '')
}

function printMinute(instant: number): string {
  return new Date(instant)
    .toISOString()
    .replace('T', ' ')
    .replace(/:\d\d\.\d+Z$/, ' UTC')
}
