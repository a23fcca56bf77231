import { expect, it } from 'vitest'
import { stem, wordsOf } from './words.ts'

it('takes names apart and leaves small words out', () => {
  expect(wordsOf('getHTTPResponse of the folder_list')).toEqual(['get', 'http', 'respons', 'fold', 'list'])
  expect(wordsOf('a list of the')).toEqual(['list'])
})

it('reads pairs where words have no spaces', () => {
  expect(wordsOf('東京都')).toEqual(['東京', '京都'])
  expect(wordsOf('京')).toEqual(['京'])
})

it.each([
  ['list', ['lists', 'listed', 'listing']],
  ['creat', ['create', 'creates', 'creation', 'creating']],
  ['stop', ['stopped', 'stopping']],
  ['queri', ['query', 'queries']],
  ['box', ['boxes']],
])('%s is what is left of %j', (bare, words) => {
  expect(new Set(words.map(stem))).toEqual(new Set([bare]))
})

it('leaves short words, words with digits and what would lose its vowels alone', () => {
  expect(['bus', 'utf8s', 'string', 'status'].map(stem)).toEqual(['bus', 'utf8s', 'string', 'status'])
})
