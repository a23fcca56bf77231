import { expect, it } from 'vitest'
import { toGlob } from './glob.ts'

it.each([
  ['get_*', ['get_', 'get_user'], ['get', 'forget_user']],
  ['*_user', ['get_user', '_user'], ['get_users']],
  ['*user*', ['user', 'get_user_list'], ['use']],
  ['a*b*c', ['abc', 'axbxbxc'], ['ac', 'acb', 'abcd']],
  ['ab*ba', ['abba', 'abxba'], ['aba']],
  ['get?', ['get1'], ['get', 'get12']],
  ['.+', ['.+'], ['xx']],
])('%s matches %j and not %j', (pattern, right, wrong) => {
  const { matches } = toGlob(pattern)
  expect(right.filter((name) => !matches(name))).toEqual([])
  expect(wrong.filter(matches)).toEqual([])
})

it('is against what it names after an exclamation mark', () => {
  const glob = toGlob('!delete_*')
  expect([glob.isAgainst, glob.pattern, glob.matches('delete_all')]).toEqual([true, '!delete_*', true])
})
