import { defineModule, type Module } from '../../authoring/define.ts'
import { moonCalendar } from './calendar-tool.ts'
import { moonEvents } from './events-tool.ts'
import { fromPlace } from './from-place.ts'
import { moonphase } from './moonphase.ts'
import { view } from './view.ts'

/** How much of the Moon is told. */
export interface MoonOptions {
  /** Whether there is more than the phase: the Moon from a place, its events, calendars. */
  readonly almanac?: boolean | undefined
}

/**
 * The phase of the Moon, in figures, in words and as it looks; as an almanac, also from a place and over time.
 * @example defineServer({ name: 'mine', version: '1.0.0', modules: [moon({ almanac: true })] })
 */
export function moon({ almanac = false }: MoonOptions = {}): Module {
  const more = almanac ? [fromPlace, moonEvents, moonCalendar] : []
  return defineModule({ name: 'moon', tools: [moonphase, ...more], resources: [view] })
}
