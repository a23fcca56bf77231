import { ownTurn } from '../../process/own-turn.ts'
import { apsidesFrom } from './apsides.ts'
import { lunarEclipsesFrom, solarEclipsesFrom } from './eclipses.ts'
import { findInstant, PACE, PHASES } from './phases.ts'
import { printNearestSecond, printSecond } from './printed.ts'
import type { MoonPlace } from './seen.ts'
import { openSky, type Sky } from './sky.ts'

/** What can be asked for. */
export const EVENT_KINDS = ['phases', 'apsides', 'eclipses'] as const

/** Something that happens to the Moon, at an instant. */
export interface MoonEvent {
  readonly at: number
  readonly event: string
  /** What else is known of it, as it is told. */
  readonly facts?: EventFacts
  /** The same in words. */
  readonly words?: string
}

export interface EventFacts {
  readonly distanceKm?: number
  /** How much of the disc is covered, in percent. */
  readonly obscured?: number
  readonly penumbralMinutes?: number
  readonly partialMinutes?: number
  readonly totalMinutes?: number
  readonly greatestAt?: MoonPlace
  readonly here?: SeenEclipse
}

/** An eclipse as it is seen from a place. */
export interface SeenEclipse {
  readonly visible: boolean
  readonly altitude?: number
  readonly kind?: string
  readonly obscured?: number
  readonly begins?: string
  readonly greatest?: string
  readonly ends?: string
}

export interface EventSearch {
  readonly from: number
  readonly to: number
  readonly kinds: readonly (typeof EVENT_KINDS)[number][]
  readonly place?: MoonPlace | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FoundEvents {
  readonly events: readonly MoonEvent[]
  /** Where to go on, if there are more than one answer holds. */
  readonly more: string | undefined
}

/** In one answer. */
export const MAX_EVENTS = 400

/** How long the search goes on before others have their turn. */
const TURN_MS = 2

/** All that happens from one instant to another, in order, or the first of it. */
export async function findEvents(search: EventSearch): Promise<FoundEvents> {
  const sky = await openSky()
  const courses: Course[] = []
  for (const events of search.kinds.flatMap((kind) => COURSES[kind](search, sky))) {
    await ownTurn()
    courses.push(headed(events))
  }
  const events: MoonEvent[] = []
  let turn = performance.now()
  for (let first = earliest(courses); first !== undefined; first = earliest(courses)) {
    const { head } = first
    if (head.at >= search.to || events.length > MAX_EVENTS) break
    if (head.at >= search.from) events.push(head)
    first.advance()
    if (performance.now() - turn < TURN_MS) continue
    await ownTurn()
    search.signal?.throwIfAborted()
    turn = performance.now()
  }
  const left = events[MAX_EVENTS]
  return {
    events: events.slice(0, MAX_EVENTS),
    more: left && printSecond(Math.floor(left.at / 1000) * 1000),
  }
}

/** What comes next of one kind, looked for when it is its turn. */
interface Course {
  head: MoonEvent
  advance(): void
}

/** There is always a next one. */
export type Events = Generator<MoonEvent, never>

function headed(events: Events): Course {
  const course: Course = {
    head: events.next().value,
    advance: () => {
      course.head = events.next().value
    },
  }
  return course
}

function earliest(courses: readonly Course[]): Course | undefined {
  return courses.toSorted((one, other) => one.head.at - other.head.at)[0]
}

/** As they are told in figures. */
export function eventFigures({ at, event, facts }: MoonEvent) {
  return { datetime: printNearestSecond(at), event, ...facts }
}

const COURSES: Record<(typeof EVENT_KINDS)[number], (search: EventSearch, sky: Sky) => readonly Events[]> = {
  phases: ({ from }, sky) => [phasesFrom(from, sky)],
  apsides: ({ from }) => [apsidesFrom(from)],
  eclipses: ({ from, place }) => [lunarEclipsesFrom(from, place), solarEclipsesFrom(from, place)],
}

function* phasesFrom(from: number, sky: Sky): Events {
  const elongation = sky.elongation(from)
  let quarter = Math.ceil(elongation / 90)
  let at = findInstant(sky, (quarter % 4) * 90, from + (quarter * 90 - elongation) * PACE)
  for (;;) {
    yield { at, event: PHASES[(quarter % 4) * 2] ?? '' }
    quarter++
    at = findInstant(sky, (quarter % 4) * 90, at + 90 * PACE)
  }
}
