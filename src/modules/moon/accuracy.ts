/** How good instants of phases are, by the years for which they were held against tables and other theories (decision 20). */
const PHASES_GOOD_TO = [
  { from: 1700, to: 2100, words: 'two minutes' },
  { from: -1000, to: 3000, words: 'an hour' },
] as const

/** How good an instant that the Sun and the Moon make is in its year. */
export function instantsGoodTo(instant: number): string {
  const year = new Date(instant).getUTCFullYear()
  return PHASES_GOOD_TO.find(({ from, to }) => year >= from && year <= to)?.words ?? 'a day'
}

/** Of phases and eclipses, and of what is asked beside them. */
export function accuracyOfPhases(instant: number): string {
  return `Instants are good to ${instantsGoodTo(instant)}, the lit part to a point of a hundred.`
}

export function accuracyOfEvents(first: number, last: number): string {
  const worst = [first, last].map(instantsGoodTo).find((words) => words !== 'two minutes') ?? 'two minutes'
  return `Phases and eclipses are good to ${worst}; perigee and apogee to 40 minutes and 30 km, since the distance hardly changes there.`
}

/** Rise and set are those of an even horizon at sea level in a standard atmosphere. */
export function accuracyOfPlace(instant: number, latitude: number): string {
  const steep =
    Math.abs(latitude) <= 65 ? 'two minutes' : 'ten minutes, where the Moon only grazes the horizon'
  const rising = instantsGoodTo(instant) === 'two minutes' ? steep : instantsGoodTo(instant)
  return `Rise and set are good to ${rising}, for an even horizon at sea level; height and direction to a tenth of a degree, the tilt to a degree.`
}
