import { expect, it } from 'vitest'
import { isCardName } from './options.ts'

it('the name of a card has the names of a domain, a slash and a name, two hundred letters at the most', () => {
  const longest = `com.example/${'x'.repeat(188)}`
  expect(['com.example/weather', longest].map(isCardName)).toEqual([true, true])
  expect([`${longest}x`, 'weather', 'a/b/c', 'a b/c', '/b', 'a/'].map(isCardName)).toEqual(
    Array(6).fill(false),
  )
})
