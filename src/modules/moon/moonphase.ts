import { defineTool } from '../../authoring/define.ts'
import { parseOrNow, YEARS } from './datetime.ts'
import { NAMED_FOR, PHASES } from './phases.ts'
import { VIEW_URI } from './view.ts'

const HOUR = 3_600_000

export const INPUT = {
  type: 'object',
  properties: {
    datetime: {
      type: ['string', 'null'],
      description:
        'ISO 8601 date or date-time, such as 2026-11-15 or 2026-11-15T22:30:00+01:00. ' +
        'A date alone means 00:00 UTC, and a time without an offset is taken as UTC. Empty, null or absent means now. ' +
        `Years ${YEARS.first} to ${YEARS.last} of the Gregorian calendar: good to two minutes from 1700 to 2100, ` +
        'to an hour from -1000 to 3000, to a day beyond.',
    },
  },
  additionalProperties: false,
} as const

/** What is said of the phase, by whichever tool. */
export const FIGURES = {
  datetime: {
    type: 'string',
    description: 'The instant the answer is for, as an ISO 8601 date-time in UTC',
  },
  phase: {
    type: 'string',
    enum: PHASES,
    description: `Name of the phase; new moon, first quarter, full moon and last quarter hold for ${NAMED_FOR / HOUR} hours before and after their instants`,
  },
  age: { type: 'number', minimum: 0, maximum: 30, description: 'Days since the last new moon' },
  illumination: {
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'How much of the disc is lit, in percent',
  },
  waxing: { type: 'boolean', description: 'Whether the lit part is growing' },
  nextNewMoon: { type: 'string', description: 'Instant of the next new moon, in the same form' },
  nextFullMoon: { type: 'string', description: 'Instant of the next full moon, in the same form' },
  accuracy: { type: 'string', description: 'How good these figures are' },
} as const

const OUTPUT = {
  type: 'object',
  properties: FIGURES,
  required: ['datetime', 'phase', 'age', 'illumination', 'waxing', 'nextNewMoon', 'nextFullMoon', 'accuracy'],
  additionalProperties: false,
} as const

export const moonphase = defineTool({
  name: 'moonphase',
  title: 'Phase of the Moon',
  description:
    'Phase of the Moon at a date and time, or now: its age in days, how much of it is lit, the name of the phase, ' +
    'the next full and new moon, and a picture as seen from the northern hemisphere.',
  input: INPUT,
  output: OUTPUT,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  _meta: { ui: { resourceUri: VIEW_URI } },
  scopes: ['moon'],
  run: async ({ datetime }) => {
    const instant = parseOrNow(datetime)
    // A server that is never asked need not load what the answer takes.
    const { answer } = await import('./answer.ts')
    return answer(instant)
  },
})
