import { describe, expect, it } from 'vitest'
import { cut, duration, estimateTokens, safeLink, short, showUnseen, splitUnseen } from './text.ts'

describe('text from elsewhere', () => {
  it('has what would not be seen shown', () => {
    expect(showUnseen('user\u202egnp.exe')).toBe('user⟨U+202E⟩gnp.exe')
    expect(splitUnseen('a\u{e0041}b\u200b')).toEqual([
      { text: 'a' },
      { text: '\u{e0041}', code: 'U+E0041' },
      { text: 'b' },
      { text: '\u200b', code: 'U+200B' },
    ])
    expect(showUnseen('plain\ttext\nå 日本 👩‍👩‍👧')).toBe('plain\ttext\nå 日本 👩‍👩‍👧')
  })

  it('has what hides in it shown, and what joins or draws its neighbours left alone', () => {
    const hidden = [
      '\u00ad',
      '\u034f',
      '\u115f',
      '\u180e',
      '\u200d',
      '\u3164',
      '\ufe00',
      '\uffa0',
      '\u{e0100}',
    ]
    for (const one of hidden) expect(splitUnseen(`ad${one}min`)).toHaveLength(3)
    expect(splitUnseen('❤\ufe0f\ufe0f\ufe0e')).toHaveLength(3)
    const seen = '❤️‍🔥 1️⃣ می‌خواهم क्‍ष ©️'
    expect(showUnseen(seen)).toBe(seen)
  })

  it('is never cut within a character', () => {
    expect(cut('a😀', 2)).toBe('a')
    expect(cut('abc', 3)).toBe('abc')
  })

  it('is linked to pages and mail alone', () => {
    expect(safeLink('https://example.com/a')).toBe('https://example.com/a')
    expect(safeLink('mailto:a@example.com')).toBe('mailto:a@example.com')
    for (const bad of ['javascript:1', ' javascript:1', 'data:x,y', '/here', 'ftp://a'])
      expect(safeLink(bad)).toBeUndefined()
  })

  it('has its numbers short', () => {
    expect([950, 1234, 48_000, 3_100_000].map(short)).toEqual(['950', '1.2k', '48k', '3.1M'])
    expect([0.42, 12.3, 3400, 120_000].map(duration)).toEqual(['0.4 ms', '12 ms', '3.4 s', '2 min'])
    expect(estimateTokens('x'.repeat(36))).toBe(10)
  })
})
