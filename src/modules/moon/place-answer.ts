import type { StructuredResult } from '../../authoring/define.ts'
import { ownTurn } from '../../process/own-turn.ts'
import { accuracyOfPlace } from './accuracy.ts'
import { type Figures, figuresOf, imageOf, sayMoon } from './answer.ts'
import { startOfSecond } from './datetime.ts'
import { findMoon } from './phases.ts'
import { printNearestMinute, printNearestSecond } from './printed.ts'
import { type MoonPlace, type SeenMoon, seeMoon } from './seen.ts'
import { openSky } from './sky.ts'

/** The figures of the phase, and how the Moon stands above a place. */
export interface PlaceFigures extends Figures, MoonPlace {
  readonly altitude: number
  readonly azimuth: number
  readonly tilt: number
  readonly north: number
  readonly nextRise: string | null
  readonly nextSet: string | null
}

export async function placeFigures(instant: number, place: MoonPlace): Promise<PlaceFigures> {
  return (await look(instant, place)).figures
}

/** What the tool says: words, a picture turned as the Moon is there, and figures. */
export async function placeAnswer(
  instant: number,
  place: MoonPlace,
): Promise<StructuredResult<PlaceFigures>> {
  const { moon, seen, figures } = await look(instant, place)
  return {
    content: [
      { type: 'text', text: `${sayMoon(moon, figures)} ${sayPlace(seen, figures)} ${figures.accuracy}` },
      imageOf({ ...moon, turned: seen }),
    ],
    structuredContent: figures,
  }
}

async function look(instant: number, place: MoonPlace) {
  const sky = await openSky()
  await ownTurn()
  const moon = findMoon(sky, startOfSecond(instant))
  const seen = seeMoon(moon.instant, place)
  return {
    moon,
    seen,
    figures: { ...figuresOf(moon), ...place, ...seenFigures(seen), accuracy: accuracy(moon.instant, place) },
  }
}

function accuracy(instant: number, { latitude }: MoonPlace): string {
  return accuracyOfPlace(instant, latitude)
}

function seenFigures({ altitude, azimuth, tilt, north, nextRise, nextSet }: SeenMoon) {
  return {
    altitude: Math.round(altitude * 10) / 10,
    azimuth: Math.round(azimuth * 10) / 10,
    tilt: Math.round(tilt) % 360,
    north: Math.round(north) % 360,
    nextRise: nextRise === undefined ? null : printNearestSecond(nextRise),
    nextSet: nextSet === undefined ? null : printNearestSecond(nextSet),
  }
}

const POINTS = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest']

/** Where the lit edge points, as on a clock without numbers. */
const SIDES = [
  'up',
  'up and right',
  'right',
  'down and right',
  'down',
  'down and left',
  'left',
  'up and left',
]

function sayPlace(
  { nextRise, nextSet }: SeenMoon,
  { latitude, longitude, altitude, azimuth, tilt }: PlaceFigures,
): string {
  const where = `From ${Math.abs(latitude)}° ${latitude < 0 ? 'S' : 'N'}, ${Math.abs(longitude)}° ${longitude < 0 ? 'W' : 'E'}`
  const height = altitude < 0 ? `${-altitude}° below` : `${altitude}° above`
  const when = (instant: number | undefined) =>
    instant === undefined ? 'not within a month' : printNearestMinute(instant)
  return (
    `${where} it stands ${height} the horizon in the ${eighth(POINTS, azimuth)} (${azimuth}°), ` +
    `its lit edge pointing ${eighth(SIDES, tilt)}. Next rise: ${when(nextRise)}; next set: ${when(nextSet)}.`
  )
}

function eighth(names: readonly string[], degrees: number): string {
  return names[Math.round(degrees / 45) % 8] ?? ''
}
