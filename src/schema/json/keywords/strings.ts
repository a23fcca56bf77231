import { shorten } from '../../problems.ts'
import { spend } from '../effort.ts'
import { costOfFormat, findFormat } from '../formats/index.ts'
import { expecting } from '../rule.ts'
import type { Keywords } from './keywords.ts'

/** How long a text is, and what it is like. */
export const strings: Keywords = {
  minLength(place) {
    const min = place.count('minLength')
    if (min === undefined) return undefined
    const isLong = (text: string) =>
      text.length >= min * 2 || (text.length >= min && countCharacters(text) >= min)
    return expecting(
      `to NOT have fewer than ${min} characters`,
      (value) => typeof value !== 'string' || isLong(value),
    )
  },
  maxLength(place) {
    const max = place.count('maxLength')
    if (max === undefined) return undefined
    const isShort = (text: string) =>
      text.length <= max || (text.length <= max * 2 && countCharacters(text) <= max)
    return expecting(
      `to NOT have more than ${max} characters`,
      (value) => typeof value !== 'string' || isShort(value),
    )
  },
  pattern(place) {
    const source = place.text('pattern')
    if (source === undefined) return undefined
    const matches = place.pattern(source) ?? place.wrong('pattern', 'a regular expression')
    return expecting(
      `to match pattern ${shorten(JSON.stringify(source))}`,
      (value) => typeof value !== 'string' || matches(value),
    )
  },
  format(place) {
    const name = place.text('format')
    if (name === undefined || !place.assertsFormats) return undefined
    const fits = findFormat(name)
    if (fits === undefined) return undefined
    const fitsFormat = (text: string) => {
      spend(costOfFormat(name, text))
      return fits(text)
    }
    return expecting(
      `to match format ${JSON.stringify(name)}`,
      (value) => typeof value !== 'string' || fitsFormat(value),
    )
  },
}

/** A character beyond the basic plane is one, though it takes two places in a string. */
function countCharacters(text: string): number {
  spend(text.length >> 3)
  let count = 0
  for (let at = 0; at < text.length; at++) {
    count += 1
    if ((text.codePointAt(at) ?? 0) > 0xffff) at += 1
  }
  return count
}
