import { expect, it } from 'vitest'
import { type Interested, SubscribedUris } from './interest.ts'

function createUris() {
  const told: string[] = []
  const watcher = {
    begin: (uri: string, by: Interested) => void told.push(`begin ${uri} ${by === link}`),
    end: (uri: string, by: Interested) => void told.push(`end ${uri} ${by === link}`),
  }
  const link: Interested = { server: { relaying: { interest: [watcher] } } }
  return { uris: new SubscribedUris(link), told }
}

it('tells whoever watches once of what somebody subscribed to, and of its end', () => {
  const { uris, told } = createUris()
  uris.add('a')
  uris.add('a')
  expect([uris.size, uris.has('a'), uris.has('b')]).toEqual([1, true, false])
  expect(uris.delete('a')).toBe(true)
  expect(uris.delete('a')).toBe(false)
  expect(told).toEqual(['begin a true', 'end a true'])
})

it('has these and no others, and tells of the differences', () => {
  const { uris, told } = createUris()
  uris.replace(['a', 'b'])
  told.length = 0
  uris.replace(['b', 'c'])
  expect([...uris]).toEqual(['b', 'c'])
  expect(told).toEqual(['end a true', 'begin c true'])
})

it('tells of the end of everything once when its client has left, and still knows it', () => {
  const { uris, told } = createUris()
  uris.replace(['a', 'b'])
  told.length = 0
  uris.leave()
  uris.leave()
  expect(told).toEqual(['end a true', 'end b true'])
  expect(uris.delete('a')).toBe(true)
  expect([...uris]).toEqual(['b'])
  expect(told).toHaveLength(2)
})
