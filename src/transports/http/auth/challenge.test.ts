import { expect, it } from 'vitest'
import { challengeHeaders } from './challenge.ts'

it.each([
  ['a scheme alone', {}, 'Bearer'],
  ['what is undefined is left out', { scope: undefined, error: 'e' }, 'Bearer error="e"'],
  ['quotes and backslashes are escaped', { scope: 'a"b\\c' }, 'Bearer scope="a\\"b\\\\c"'],
  ['line breaks and foreign letters are replaced', { scope: 'a\r\nb ü' }, 'Bearer scope="a??b ?"'],
  ['values stand side by side', { a: '1', b: '2' }, 'Bearer a="1", b="2"'],
])('%s', (_title, parameters, printed) => {
  expect(challengeHeaders('Bearer', parameters)).toEqual({ 'www-authenticate': printed })
})
