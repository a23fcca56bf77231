import type { JsonObject } from '../jsonrpc/message.ts'

/**
 * What a value that came as JSON costs in memory, roughly: a few letters can be many objects.
 * @example const weight = weigh([[], [], []])
 */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return weighText(value)
  if (typeof value !== 'object' || value === null) return 0
  let weight = OBJECT
  if (Array.isArray(value)) for (const one of value) weight += MEMBER + weigh(one)
  else
    for (const key of Object.keys(value))
      weight += MEMBER + weighText(key) + weigh((value as JsonObject)[key])
  return weight
}

/**
 * What a call under way costs beside what it was made with, roughly.
 * @example const weight = CALL + weigh(call.params)
 */
export const CALL = 4096

/**
 * What an object or a list costs by itself.
 * @example const empty = OBJECT
 */
export const OBJECT = 48

/**
 * What each member of one adds.
 * @example const one = OBJECT + MEMBER
 */
export const MEMBER = 16

/**
 * What a text costs in memory: with a letter beyond Latin-1 in it, two bytes for each of its letters.
 * @example const bytes = weighText('Mondschein')
 */
export function weighText(text: string): number {
  return WIDE.test(text) ? 2 * text.length : text.length
}

const WIDE = /[\u0100-\uffff]/
