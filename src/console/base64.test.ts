import { expect, it } from 'vitest'
import { withinBase64 } from './base64.ts'

const encode = (text: string | Uint8Array) => Buffer.from(text).toString('base64')
const mask = (plain: string) => plain.replace('secret', '•••')

it('changes what a text in base64 says', () => {
  expect(withinBase64(encode('a secret, ünïcode\tand\r\n'), mask)).toBe(encode('a •••, ünïcode\tand\r\n'))
})

it.each([
  ['a text that stays the same', encode('nothing to hide')],
  ['one that is written in another way', encode('nothing to hide').replace(/=+$/, '')],
  [
    'a picture',
    encode(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...Buffer.from('secret'))),
  ],
  ['what is no UTF-8', encode(Uint8Array.of(0xff, 0xfe, ...Buffer.from('secret')))],
  ['what has a control character, first or late', encode(`\u0008secret`)],
  ['the same beyond its beginning', encode(`${'x'.repeat(1000)}\u000esecret`)],
  ['one beyond ASCII', encode('\u0085secret')],
])('leaves %s as it was', (_what, encoded) => {
  expect(withinBase64(encoded, mask)).toBe(encoded)
})
