import { defineTool } from '../../authoring/define.ts'
import { BUDGETS } from '../../kernel/index.ts'
import { parseNamed } from './datetime.ts'
import { PLACE } from './from-place.ts'

/** One entry of a list, by whichever tool. */
export const EVENT = {
  type: 'object',
  properties: {
    datetime: { type: 'string', description: 'Its instant, in UTC; of an eclipse, when it is greatest' },
    event: {
      type: 'string',
      description:
        'new moon, first quarter, full moon, last quarter, perigee, apogee, or an eclipse: total lunar eclipse',
    },
    distanceKm: { type: 'integer', description: 'From centre to centre' },
    obscured: { type: 'integer', description: 'How much of the disc is covered, in percent' },
    penumbralMinutes: { type: 'integer' },
    partialMinutes: { type: 'integer' },
    totalMinutes: { type: 'integer' },
    greatestAt: {
      type: 'object',
      properties: PLACE,
      required: ['latitude', 'longitude'],
      description: 'Where the middle of the shadow meets the Earth',
    },
    here: {
      type: 'object',
      properties: {
        visible: { type: 'boolean', description: 'Whether any of it is seen' },
        altitude: {
          type: 'number',
          description:
            'Of the Moon or the Sun when it is greatest, in degrees: below 0, only a part before or after is seen',
        },
        kind: { type: 'string', description: 'When it is greatest' },
        obscured: { type: 'integer', description: 'In percent, when it is greatest' },
        begins: { type: 'string' },
        greatest: { type: 'string' },
        ends: { type: 'string' },
      },
      required: ['visible'],
      description: 'What is seen of an eclipse from the place that was given',
    },
  },
  required: ['datetime', 'event'],
} as const

export const moonEvents = defineTool({
  name: 'moon_events',
  title: 'What the Moon does between two dates',
  description:
    'Phases, perigees and apogees, eclipses of the Moon and of the Sun between two dates, in order; ' +
    'with a place, what is seen of the eclipses from there.',
  input: {
    type: 'object',
    properties: {
      from: { type: 'string', description: 'ISO 8601 date or date-time; without an offset it is UTC' },
      to: { type: 'string', description: `The same, later, by at most ${BUDGETS.maxMoonYears.limit} years` },
      kinds: {
        type: 'array',
        items: { enum: ['phases', 'apsides', 'eclipses'] },
        uniqueItems: true,
        description: 'Which of them; all unless said. Apsides are perigees and apogees',
      },
      ...PLACE,
    },
    required: ['from', 'to'],
    dependentRequired: { latitude: ['longitude'], longitude: ['latitude'] },
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      events: { type: 'array', items: EVENT },
      more: { type: 'string', description: 'There are more than one answer holds: ask again from here' },
      accuracy: { type: 'string', description: 'How good these figures are' },
    },
    required: ['events', 'accuracy'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  scopes: ['moon'],
  run: async ({ from, to, kinds, latitude, longitude }, call) => {
    const span = { from: parseNamed('from', from), to: parseNamed('to', to) }
    if (span.to <= span.from) throw new Error(`to: expected a date after ${from}, got ${to}`)
    const { maxMoonYears } = call.server.budgets
    if (span.to > yearsAfter(span.from, maxMoonYears))
      throw new Error(
        `to: expected at most ${maxMoonYears} years after ${from}, got ${to} (--max-moon-years): ask in parts`,
      )
    const place = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
    const { eventsAnswer } = await import('./events-answer.ts')
    return eventsAnswer({ ...span, kinds, place, signal: call.signal })
  },
})

function yearsAfter(instant: number, years: number): number {
  const date = new Date(instant)
  return date.setUTCFullYear(date.getUTCFullYear() + years)
}
