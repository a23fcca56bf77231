import { describe, expect, it } from 'vitest'
import { rank } from './rank.ts'
import { Vocabulary } from './vocabulary.ts'

const WORDS = [
  'file',
  'files',
  'delete',
  'create',
  'present',
  'presentation',
  'wikipedia',
  'weather',
  'whether',
]

const near = (word: string) => new Vocabulary(WORDS).nearTo(word, { steps: 0 })

describe('words that somebody may have meant', () => {
  it.each([
    ['deleet', ['delete']],
    ['delte', ['delete']],
    ['creatte', ['create']],
    ['wiki', ['wikipedia']],
    ['presentations', ['present', 'presentation']],
    ['wether', ['weather', 'whether']],
    ['wikipdea', ['wikipedia']],
    ['elete', []],
    ['fil', []],
    ['wind', []],
  ])('by %s are %j', (word, meant) => {
    expect([...near(word)].sort()).toEqual(meant)
  })

  it('are none for what is no word any more', () => {
    const long = 'w'.repeat(1000)
    const spent = { steps: 0 }
    expect(new Vocabulary([long]).nearTo(`${long}w`, spent)).toEqual([])
    expect(spent.steps).toBe(0)
  })

  it('are a few where very many begin with it', () => {
    const many = Array.from({ length: 5000 }, (_, at) => `word${at}`)
    expect(new Vocabulary(many).nearTo('word', { steps: 0 })).toHaveLength(64)
  })
})

describe('what a search costs', () => {
  it('has few words compared that have other letters', () => {
    const spent = { steps: 0 }
    const others = Array.from({ length: 10_000 }, (_, at) => `w${at}`)
    expect(new Vocabulary(others).nearTo('wabcd', spent)).toEqual([])
    expect(spent.steps).toBeLessThan(20_000)
  })

  it('is bounded for all its words together, also where all have the same letters', () => {
    const vocabulary = new Vocabulary(arranged('bcdefghi').map((rest) => `a${rest}`))
    const spent = { steps: 0 }
    for (const rest of arranged('bcdefghi').slice(0, 12)) vocabulary.nearTo(`a${rest}`, spent)
    expect(spent.steps).toBeLessThan(251_000)
  })

  it('leaves what has the very words first', () => {
    const tools = arranged('bcdefgh').map((rest) => ({
      listed: { name: `a${rest}`, description: 'Does it.' },
    }))
    const asked = tools.slice(0, 12).map(({ listed }) => `${listed.name}x`)
    expect(rank(`${asked.join(' ')} abcdefgh`, tools)[0]?.tool.listed.name).toBe('abcdefgh')
  })
})

/** All orders of some letters. */
function arranged(letters: string): readonly string[] {
  if (letters.length < 2) return [letters]
  return letters.split('').flatMap((one) => arranged(letters.replace(one, '')).map((rest) => one + rest))
}
