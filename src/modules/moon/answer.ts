import type { StructuredResult } from '../../authoring/define.ts'
import { accuracyOfPhases } from './accuracy.ts'
import { startOfSecond } from './datetime.ts'
import { findMoon, type Moon } from './phases.ts'
import { drawMoon, type View } from './picture.ts'
import { printPng } from './png.ts'
import { printClock, printNearestMinute, printNearestSecond, printSecond } from './printed.ts'
import { openSky } from './sky.ts'

export interface Figures extends Pick<Moon, 'phase' | 'waxing'> {
  readonly datetime: string
  readonly age: number
  readonly illumination: number
  readonly nextNewMoon: string
  readonly nextFullMoon: string
  readonly accuracy: string
}

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
  const figures = figuresOf(moon)
  return {
    content: [{ type: 'text', text: `${sayMoon(moon, figures)} ${figures.accuracy}` }, imageOf(moon)],
    structuredContent: figures,
  }
}

export function imageOf(view: View) {
  const data = Buffer.from(printPng(drawMoon(view))).toString('base64')
  return { type: 'image', data, mimeType: 'image/png' } as const
}

export function figuresOf(moon: Moon): Figures {
  return {
    datetime: printSecond(moon.instant),
    phase: moon.phase,
    age: Math.round(((moon.instant - moon.lastNewMoon) / DAY) * 100) / 100,
    illumination: Math.round(moon.illumination * 100),
    waxing: moon.waxing,
    nextNewMoon: printNearestSecond(moon.nextNewMoon),
    nextFullMoon: printNearestSecond(moon.nextFullMoon),
    accuracy: accuracyOfPhases(moon.instant),
  }
}

export function sayMoon(moon: Moon, { phase, age, illumination }: Figures): string {
  return (
    `${phase.charAt(0).toUpperCase()}${phase.slice(1)} on ${printClock(moon.instant)}: ` +
    `${age} ${age === 1 ? 'day' : 'days'} old and ${illumination}% illuminated. ` +
    `Next full moon: ${printNearestMinute(moon.nextFullMoon)}; ` +
    `next new moon: ${printNearestMinute(moon.nextNewMoon)}.`
  )
}
