import { expect, it } from 'vitest'
import { createSealer } from './sealing.ts'

it('opens what it sealed, for the same bound only', () => {
  const sealer = createSealer(['key'])
  const token = sealer.seal('secret text ü', 'bound')
  expect(token).toMatch(/^[A-Za-z0-9_-]+$/)
  expect(token).not.toContain(Buffer.from('secret').toString('base64url'))
  expect(sealer.open(token, 'bound')).toBe('secret text ü')
  expect(sealer.open(token, 'other')).toBe(undefined)
})

it('never seals the same text in the same way', () => {
  const sealer = createSealer(['key'])
  expect(sealer.seal('text', 'bound')).not.toBe(sealer.seal('text', 'bound'))
})

it('opens with an old secret and seals with the new one', () => {
  const before = createSealer(['old'])
  const during = createSealer(['new', 'old'])
  const after = createSealer(['new'])
  expect(during.open(before.seal('text', 'b'), 'b')).toBe('text')
  expect(after.open(during.seal('text', 'b'), 'b')).toBe('text')
  expect(after.open(before.seal('text', 'b'), 'b')).toBe(undefined)
  expect(before.open(during.seal('text', 'b'), 'b')).toBe(undefined)
})

it('makes up a secret of its own when there is none', () => {
  const sealer = createSealer([])
  expect(sealer.open(sealer.seal('text', 'b'), 'b')).toBe('text')
  expect(createSealer([]).open(sealer.seal('text', 'b'), 'b')).toBe(undefined)
})

it.each(['', 'x', '!!!!', 'A'.repeat(36), 'A'.repeat(1000), 'ü', 'a b'])('does not open %j', (token) => {
  expect(createSealer(['key']).open(token, 'b')).toBe(undefined)
})

it('takes one spelling of a token only', () => {
  const sealer = createSealer(['key'])
  const token = sealer.seal('text', 'b')
  for (const spelled of [`${token}=`, `${token}==`, ` ${token}`, `${token}\n`, `${token}.`]) {
    expect(sealer.open(spelled, 'b')).toBe(undefined)
  }
})
