import { defineTool } from '../../authoring/define.ts'
import type { ToolResult } from '../../kernel/index.ts'
import { parseDatetime, YEARS } from './datetime.ts'
import { findMoon, type Moon, NAMED_FOR, PHASES } from './phases.ts'
import { drawMoon } from './picture.ts'
import { printPng } from './png.ts'
import { openSky } from './sky.ts'
import { VIEW_URI } from './view.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

const INPUT = {
  type: 'object',
  properties: {
    datetime: {
      type: 'string',
      description:
        `ISO 8601 date or date-time, such as 2026-11-15 or 2026-11-15T22:30:00+01:00, in the years ${YEARS.first} to ${YEARS.last}. ` +
        'A date alone means 00:00 UTC, and a time without an offset is taken as UTC. Empty or absent means now.',
    },
  },
  additionalProperties: false,
} as const

const OUTPUT = {
  type: 'object',
  properties: {
    datetime: {
      type: 'string',
      format: 'date-time',
      description: 'The instant the answer is for, in UTC',
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
    nextNewMoon: { type: 'string', format: 'date-time', description: 'Instant of the next new moon, in UTC' },
    nextFullMoon: {
      type: 'string',
      format: 'date-time',
      description: 'Instant of the next full moon, in UTC',
    },
  },
  required: ['datetime', 'phase', 'age', 'illumination', 'waxing', 'nextNewMoon', 'nextFullMoon'],
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
  run: async ({ datetime = '' }) => {
    const instant = datetime.trim() === '' ? Date.now() : parseDatetime(datetime)
    return printMoon(findMoon(await openSky(), instant))
  },
})

function printMoon(moon: Moon): ToolResult {
  const age = Math.round(((moon.instant - moon.lastNewMoon) / DAY) * 100) / 100
  const illumination = Math.round(moon.illumination * 100)
  const { phase, waxing } = moon
  const text =
    `${phase.charAt(0).toUpperCase()}${phase.slice(1)} on ${printMinute(moon.instant)}: ` +
    `${age} days old and ${illumination}% illuminated. ` +
    `Next full moon: ${printMinute(moon.nextFullMoon)}; next new moon: ${printMinute(moon.nextNewMoon)}.`
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
      nextNewMoon: printSecond(moon.nextNewMoon),
      nextFullMoon: printSecond(moon.nextFullMoon),
    },
  }
}

/** As almanacs do: rounded, because the ephemeris is good to some seconds and not to thousandths. */
function printSecond(instant: number): string {
  const rounded = new Date(Math.round(instant / 1000) * 1000)
  return rounded.toISOString().replace('.000', '')
}

function printMinute(instant: number): string {
  const rounded = new Date(Math.round(instant / 60_000) * 60_000)
  return `${rounded.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
