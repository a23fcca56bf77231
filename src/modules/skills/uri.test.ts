import { describe, expect, it } from 'vitest'
import { parseUri, printUri } from './uri.ts'

describe('printing and parsing', () => {
  it.each([
    ['pdf/SKILL.md', 'skill://pdf/SKILL.md'],
    ['a b/ü?#.md', 'skill://a%20b/%C3%BC%3F%23.md'],
    ['a/100%25.md', 'skill://a/100%2525.md'],
    ['a:80@b/x', 'skill://a%3A80%40b/x'],
    ['...', 'skill://...'],
  ])('gives %j back', (path, uri) => {
    expect(printUri(path)).toBe(uri)
    expect(parseUri(uri)).toBe(path)
  })

  it('prints URIs that URL can parse', () => {
    expect(URL.canParse(printUri('a b:1@[x]/ü\n'))).toBe(true)
  })
})

it.each([
  '',
  'skill:',
  'skill://',
  'skill:///a',
  'skill://a/',
  'skill://a//b',
  'file://a/b',
  'SKILL://a/b',
  'skill://a/../b',
  'skill://a/%2e%2e/b',
  'skill://a/.%2E/b',
  'skill://a/./b',
  'skill://a/%2E',
  'skill://a%2Fb',
  'skill://..%2f..%2fetc',
  'skill://a/%00',
  'skill://a/%',
  'skill://a/%zz',
  'skill://a/%c0%ae%c0%ae',
])('knows that %j is none of ours', (uri) => {
  expect(parseUri(uri)).toBeUndefined()
})
