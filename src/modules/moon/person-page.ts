import { createHash } from 'node:crypto'
import { figuresOf } from './answer.ts'
import { parseOrNow, startOfSecond } from './datetime.ts'
import { printDocument } from './page.ts'
import { findMoon } from './phases.ts'
import { placeFigures } from './place-answer.ts'
import { openSky } from './sky.ts'
import { SLIDER, SLIDER_SCRIPT, SLIDER_STYLE } from './slider.ts'

const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What the page may do: what is written in it, and to ask where it came from. */
export const PERSON_POLICY = [
  "default-src 'none'",
  `script-src ${digest(SLIDER_SCRIPT)}`,
  `style-src ${digest(SLIDER_STYLE)}`,
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A page with a slider through time, for a person and a browser. */
export function printPersonPage(): string {
  printed ??= printDocument({ protocol: '', style: SLIDER_STYLE, more: SLIDER, script: SLIDER_SCRIPT })
  return printed
}

let printed: string | undefined

/** What the page shows for an instant, from a place where one is named. */
export async function printFigures(query: URLSearchParams): Promise<string> {
  const instant = parseOrNow(query.get('datetime'))
  const [latitude, longitude] = [readDegrees(query, 'latitude', 90), readDegrees(query, 'longitude', 180)]
  if (latitude === undefined || longitude === undefined)
    return JSON.stringify(figuresOf(findMoon(await openSky(), startOfSecond(instant))))
  return JSON.stringify(await placeFigures(instant, { latitude, longitude }))
}

function readDegrees(query: URLSearchParams, name: string, limit: number): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  const degrees = Number(text)
  if (Math.abs(degrees) <= limit) return degrees
  throw new Error(
    `${name}: expected degrees from -${limit} to ${limit}, got ${JSON.stringify(text.slice(0, 60))}`,
  )
}
