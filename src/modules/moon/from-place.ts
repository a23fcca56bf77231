import { defineTool } from '../../authoring/define.ts'
import { parseOrNow } from './datetime.ts'
import { FIGURES, INPUT } from './moonphase.ts'

/** Where somebody stands, in degrees. */
export const PLACE = {
  latitude: { type: 'number', minimum: -90, maximum: 90, description: 'Degrees, north positive' },
  longitude: { type: 'number', minimum: -180, maximum: 180, description: 'Degrees, east positive' },
} as const

export const fromPlace = defineTool({
  name: 'moon_from_place',
  title: 'The Moon from a place',
  description:
    'How the Moon stands above a place at a date and time, or now: height, direction, next rise and set, ' +
    'how its crescent is tilted there, its phase, and a picture of it as it is seen there.',
  input: {
    type: 'object',
    properties: { ...PLACE, datetime: INPUT.properties.datetime },
    required: ['latitude', 'longitude'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      ...FIGURES,
      ...PLACE,
      altitude: {
        type: 'number',
        description: 'Degrees above the horizon as it looks through the air; negative below it',
      },
      azimuth: { type: 'number', description: 'Degrees from north through east' },
      tilt: {
        type: 'integer',
        description: 'Where the lit edge points, in degrees: 0 up, 90 right, 180 down, 270 left',
      },
      north: { type: 'integer', description: 'Where the north of its face points, in the same way' },
      nextRise: {
        type: ['string', 'null'],
        description: 'Instant in UTC; null if there is none within a month',
      },
      nextSet: { type: ['string', 'null'], description: 'The same for its setting' },
    },
    required: [
      'datetime',
      'phase',
      'age',
      'illumination',
      'altitude',
      'azimuth',
      'tilt',
      'nextRise',
      'nextSet',
      'accuracy',
    ],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  scopes: ['moon'],
  run: async ({ latitude, longitude, datetime }) => {
    const instant = parseOrNow(datetime)
    const { placeAnswer } = await import('./place-answer.ts')
    return placeAnswer(instant, { latitude, longitude })
  },
})
