/** How good instants of phases are, by the years for which they were held against tables and other theories (decision 20). */
const PHASES_GOOD_TO = [
  { from: 1700, to: 2100, words: 'two minutes' },
  { from: -1000, to: 3000, words: 'an hour' },
] as const

type GoodTo = (typeof PHASES_GOOD_TO)[number]['words'] | 'a day'

const APSIDES_GOOD_TO: Record<GoodTo, string> = {
  'two minutes': '40 minutes',
  'an hour': 'two hours',
  'a day': 'a day',
}

/** How good an instant that the Sun and the Moon make is in its year. */
function instantsGoodTo(instant: number): GoodTo {
  const year = new Date(instant).getUTCFullYear()
  return PHASES_GOOD_TO.find(({ from, to }) => year >= from && year <= to)?.words ?? 'a day'
}

/** Of phases and eclipses, and of what is asked beside them. */
export function accuracyOfPhases(instant: number): string {
  return `Instants are good to ${instantsGoodTo(instant)}, the lit part to a point of a hundred.`
}

export function accuracyOfEvents(first: number, last: number): string {
  const ends = [first, last].map(instantsGoodTo)
  const worst = (['a day', 'an hour'] as const).find((words) => ends.includes(words)) ?? 'two minutes'
  return `Phases and eclipses are good to ${worst}; perigee and apogee to ${APSIDES_GOOD_TO[worst]} and 30 km, since the distance hardly changes there.`
}

/** Rise and set are those of an even horizon at sea level in a standard atmosphere. */
export function accuracyOfPlace(instant: number, latitude: number): string {
  const steep =
    Math.abs(latitude) <= 65 ? 'two minutes' : 'ten minutes, where the Moon only grazes the horizon'
  const goodTo = instantsGoodTo(instant)
  const isNear = goodTo === 'two minutes'
  const rising = `Rise and set are good to ${isNear ? steep : goodTo}, for an even horizon at sea level`
  if (isNear) return `${rising}; height and direction to a tenth of a degree, the tilt to a degree.`
  return `${rising}; height, direction and tilt are as uncertain, since nobody knows how far the Earth has turned by then.`
}
