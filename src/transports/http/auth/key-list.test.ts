import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseKeyFile, parseKeys } from './key-list.ts'

const digest = (key: string) => createHash('sha256').update(key).digest('hex')

function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('keys in a line of text', () => {
  it.each([
    ['one key alone is the default', 'k1', [{ name: 'default', sha256: digest('k1') }]],
    ['a key alone may have colons', ' sk:1:2 ', [{ name: 'default', sha256: digest('sk:1:2') }]],
    [
      'a key alone may be base64 with padding',
      'MDEyMzQ1Njc4OWFiY2RlZg==',
      [{ name: 'default', sha256: digest('MDEyMzQ1Njc4OWFiY2RlZg==') }],
    ],
    [
      'several keys have names',
      'alice=k1, bob=k2',
      [
        { name: 'alice', sha256: digest('k1') },
        { name: 'bob', sha256: digest('k2') },
      ],
    ],
    [
      'scopes follow a colon and may have colons',
      'alice=k1:files:read+moon',
      [{ name: 'alice', sha256: digest('k1'), scopes: ['files:read', 'moon'] }],
    ],
    ['a key with a name may have equals signs', 'alice=a=b==', [{ name: 'alice', sha256: digest('a=b==') }]],
  ])('%s', (_title, text, keys) => {
    expect(parseKeys(text)).toEqual(keys)
  })

  it.each([
    ['nothing', ' ', 'got nothing'],
    ['two keys without names', 'hush1,hush2', 'entry 1: expected name=key'],
    ['a name without a key', 'hush=', 'entry 1: the key is empty'],
    ['an entry that is empty', 'a=hush,', 'entry 2: expected name=key'],
    ['a name with spaces', 'a hush=b', 'entry 1: a name may have'],
    ['a key with a space', 'a=hush hush', 'entry 1: a key must not be empty'],
    ['no scope after the colon', 'a=hush:', 'entry 1: a scope may have'],
  ])('%s is refused without a word of the key', (_title, text, reason) => {
    const message = messageOf(() => parseKeys(text))
    expect(message).toContain(reason)
    expect(message).not.toContain('hush')
  })
})

describe('keys in a file', () => {
  it('may be given by their digest, and have scopes', () => {
    const entries = [
      { name: 'alice', key: 'k1', scopes: ['files'] },
      { name: 'bob', sha256: digest('k2').toUpperCase() },
    ]
    expect(parseKeyFile(JSON.stringify(entries))).toEqual([
      { name: 'alice', sha256: digest('k1'), scopes: ['files'] },
      { name: 'bob', sha256: digest('k2') },
    ])
  })

  it.each([
    ['text that is not JSON', '[{"name":"a","key":"hush"', 'not JSON'],
    ['an empty list', '[]', 'expected an array'],
    ['a key that stands alone', '["hush"]', 'keys[0]: expected { name, key }'],
    ['a key without a name', '[{"key":"hush"}]', 'keys[0].name: expected a string'],
    ['a name without a key', '[{"name":"a"}]', 'keys[0]: expected either key or sha256'],
    ['both key and digest', '[{"name":"a","key":"hush","sha256":"hush"}]', 'keys[0]: expected either'],
    ['a digest that is none', '[{"name":"a","sha256":"hush"}]', 'keys[0]: sha256: expected 64 hex digits'],
    ['scopes that are no list', '[{"name":"a","key":"hush","scopes":"b"}]', 'keys[0].scopes: expected'],
    ['a misspelt member', '[{"name":"a","key":"hush","scope":["b"]}]', 'scopes. Did you mean scopes?'],
    ['a member nobody knows', '[{"name":"a","key":"b","hush":1}]', 'keys[0]: expected no other members'],
  ])('%s is refused without a word of the key', (_title, json, reason) => {
    const message = messageOf(() => parseKeyFile(json))
    expect(message).toContain(reason)
    expect(message).not.toContain('hush')
  })
})
