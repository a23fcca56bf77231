import { ownTurn } from '../../process/own-turn.ts'
import { accuracyOfEvents } from './accuracy.ts'
import { EVENT_KINDS, eventFigures, findEvents } from './events.ts'
import { printEvent } from './events-answer.ts'
import { drawMonth } from './month-picture.ts'
import { findPhase, type LitMoon, PHASES } from './phases.ts'
import { printPng } from './png.ts'
import { openSky } from './sky.ts'

const DAY = 86_400_000
const NOON = DAY / 2

const SYMBOLS = ['🌑', '🌒', '🌓', '🌔', '🌕', '🌖', '🌗', '🌘']
const WIDTH = 11

export interface MonthAsked {
  readonly year: number
  /** From 0 on. */
  readonly month: number
  /** Whether it is drawn as it looks in the south, upside down. */
  readonly southern: boolean
}

/** What the tool says of a month: a calendar in text, the same as a picture, and figures. */
export async function calendarAnswer(asked: MonthAsked) {
  const { days, from, to } = await daysOf(asked)
  const { events } = await findEvents({ from, to, kinds: EVENT_KINDS })
  const accuracy = accuracyOfEvents(from, to)
  const lines = [titleOf(asked), '', ...weeksOf(days, asked), '', ...events.map(printEvent), '', accuracy]
  await ownTurn()
  const picture = drawMonth(days, { before: weekday(from), southern: asked.southern })
  return {
    content: [
      { type: 'text' as const, text: lines.join('\n') },
      {
        type: 'image' as const,
        data: Buffer.from(printPng(picture)).toString('base64'),
        mimeType: 'image/png',
      },
    ],
    structuredContent: {
      days: days.map(({ instant, phase, illumination }) => ({
        date: dateOf(instant),
        phase,
        illumination: Math.round(illumination * 100),
      })),
      events: events.map(eventFigures),
      accuracy,
    },
  }
}

/** The Moon at noon of each day. */
async function daysOf({ year, month }: MonthAsked) {
  const sky = await openSky()
  await ownTurn()
  const [from, to] = [startOf(year, month), startOf(year, month + 1)]
  const days: LitMoon[] = []
  for (let day = from; day < to; day += DAY) days.push(findPhase(sky, day + NOON))
  return { days, from, to }
}

/** Date.UTC takes the years 0 to 99 for those of the last century. */
function startOf(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1)
}

function titleOf({ year, month }: MonthAsked): string {
  const name = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(startOf(2000, month))
  return `${name} ${year}, the Moon at 12:00 UTC of each day`
}

function weeksOf(days: readonly LitMoon[], { southern }: MonthAsked): readonly string[] {
  const cells = days.map(({ instant, phase, illumination }) => {
    const day = String(new Date(instant).getUTCDate()).padStart(2)
    const place = PHASES.indexOf(phase)
    const symbol = SYMBOLS[southern ? (8 - place) % 8 : place]
    // The symbol takes two columns, and is as long as two characters.
    return `${day} ${symbol} ${`${Math.round(illumination * 100)}%`.padStart(4)}`.padEnd(WIDTH)
  })
  const blank = Array.from({ length: weekday((days[0]?.instant ?? 0) - NOON) }, () => ' '.repeat(WIDTH))
  const all = [...blank, ...cells]
  const weeks = Array.from({ length: Math.ceil(all.length / 7) }, (_, week) =>
    all.slice(week * 7, week * 7 + 7),
  )
  const head = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].map((name) => name.padEnd(WIDTH))
  return [head, ...weeks].map((week) => week.join(' ').trimEnd())
}

/** From Monday on; 1970 began on a Thursday. */
function weekday(instant: number): number {
  return (((Math.floor(instant / DAY) + 3) % 7) + 7) % 7
}

function dateOf(instant: number): string {
  return new Date(instant).toISOString().replace(/T.*/, '')
}
