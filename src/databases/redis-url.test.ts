import { expect, it } from 'vitest'
import { parseRedisUrl } from './redis-url.ts'

it('reads all that a URL can say', () => {
  expect(parseRedisUrl('rediss://ann:p%40ss%2Fword@[::1]:7000/3?prefix=mine:')).toEqual({
    host: '::1',
    port: 7000,
    username: 'ann',
    password: 'p@ss/word',
    db: 3,
    tls: true,
    place: 'The Redis server [::1]:7000',
    prefix: 'mine:',
  })
})

it('has what it is usually for what is not said', () => {
  expect(parseRedisUrl('redis://')).toMatchObject({
    ...{ host: 'localhost', port: 6379, username: undefined, password: undefined },
    ...{ db: 0, tls: false, prefix: undefined },
  })
})

it.each(['redis://u:se/cret@h', 'redis://u:se#cret@h/0', 'redis://u:secret@h/x', 'redis://u:%secret@h'])(
  'repeats nothing of %s, in which a password may be anywhere',
  (url) => {
    expect(() => parseRedisUrl(url)).toThrow(/^store: expected redis:\/\/USER:PASSWORD@HOST/)
    expect(() => parseRedisUrl(url)).not.toThrow(/cret/)
  },
)

it('takes one parameter and no other', () => {
  expect(() => parseRedisUrl('redis://h?db=3')).toThrow('takes ?prefix= alone')
})
