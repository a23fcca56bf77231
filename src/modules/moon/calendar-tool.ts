import { defineTool } from '../../authoring/define.ts'
import { YEARS } from './datetime.ts'
import { EVENT } from './events-tool.ts'
import { PHASES } from './phases.ts'

export const moonCalendar = defineTool({
  name: 'moon_calendar',
  title: 'A month of the Moon',
  description:
    'A calendar of a month, as text and as a picture: the phase on every day, and the instants of phases, perigees, apogees and eclipses.',
  input: {
    type: 'object',
    properties: {
      month: {
        type: ['string', 'null'],
        description:
          'The month, such as 2026-11; empty, null or absent means this one. Days are those of UTC',
      },
      hemisphere: {
        enum: ['north', 'south'],
        description: 'From where it is drawn: in the south it stands upside down; north unless said',
      },
    },
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      days: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            date: { type: 'string' },
            phase: { type: 'string', enum: PHASES },
            illumination: { type: 'integer', description: 'How much of the disc is lit at noon, in percent' },
          },
          required: ['date', 'phase', 'illumination'],
        },
      },
      events: { type: 'array', items: EVENT },
      accuracy: { type: 'string', description: 'How good these figures are' },
    },
    required: ['days', 'events', 'accuracy'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  scopes: ['moon'],
  run: async ({ month, hemisphere }) => {
    const asked = parseMonth(month?.trim() ?? '')
    const { calendarAnswer } = await import('./calendar.ts')
    return calendarAnswer({ ...asked, southern: hemisphere === 'south' })
  },
})

function parseMonth(text: string): { readonly year: number; readonly month: number } {
  const now = new Date()
  if (text === '') return { year: now.getUTCFullYear(), month: now.getUTCMonth() }
  const [, year, month] = /^(\d{4}|[+-]\d{6})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (year !== undefined && Number(year) >= YEARS.first && Number(year) <= YEARS.last)
    return { year: Number(year), month: Number(month) - 1 }
  throw new Error(
    `month: expected a month such as 2026-11, of the years ${YEARS.first} to ${YEARS.last}, got ${JSON.stringify(text.slice(0, 60))}`,
  )
}
