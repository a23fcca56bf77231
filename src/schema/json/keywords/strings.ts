import { spend } from '../effort.ts'
import { findFormat } from '../formats.ts'
import { compilePattern } from '../pattern.ts'
import type { Place } from '../place.ts'
import { expecting, type Rule } from '../rule.ts'
import type { Group } from './index.ts'

/** How long a text is, and what it is like. */
export const strings: Group = {
  keywords: ['minLength', 'maxLength', 'pattern', 'format'],
  compile: (place) => [...lengths(place), ...patterns(place), ...formats(place)],
}

function lengths(place: Place): readonly Rule[] {
  const [min, max] = [place.count('minLength'), place.count('maxLength')]
  const rules: Rule[] = []
  if (min !== undefined) {
    rules.push(
      expecting(
        `to NOT have fewer than ${min} characters`,
        (value) =>
          typeof value !== 'string' ||
          value.length >= min * 2 ||
          (value.length >= min && countCharacters(value) >= min),
      ),
    )
  }
  if (max !== undefined) {
    rules.push(
      expecting(
        `to NOT have more than ${max} characters`,
        (value) =>
          typeof value !== 'string' ||
          value.length <= max ||
          (value.length <= max * 2 && countCharacters(value) <= max),
      ),
    )
  }
  return rules
}

/** A character beyond the basic plane is one, though it takes two places in a string. */
function countCharacters(text: string): number {
  spend(text.length >> 4)
  let count = 0
  for (let at = 0; at < text.length; at++) {
    count += 1
    if ((text.codePointAt(at) ?? 0) > 0xffff) at += 1
  }
  return count
}

function patterns(place: Place): readonly Rule[] {
  const source = place.text('pattern')
  if (source === undefined) return []
  const pattern = compilePattern(source, () => place.wrong('pattern', 'a regular expression'))
  return [
    expecting(
      `to match pattern ${JSON.stringify(source)}`,
      (value) => typeof value !== 'string' || pattern(value),
    ),
  ]
}

function formats(place: Place): readonly Rule[] {
  const name = place.text('format')
  if (name === undefined || !place.assertsFormats) return []
  const fits = findFormat(name)
  if (fits === undefined) return []
  return [
    expecting(`to match format ${JSON.stringify(name)}`, (value) => typeof value !== 'string' || fits(value)),
  ]
}
