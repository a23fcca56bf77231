import { describe, expect, it } from 'vitest'
import { safePlace } from './safe-place.ts'

const OWN = [
  'localhost',
  'LOCALHOST',
  '127.0.0.1',
  '127.1',
  '127.0.0.1.',
  '2130706433',
  '0x7f.0.0.1',
  '[::1]',
]
const MAYBE_OWN = [
  ...['localhost.', 'a.localhost', 'a.b.localhost.', '0.0.0.0', '0', '0.1.2.3', '[::]'],
  ...['[::ffff:7f00:1]', '[::ffff:127.0.0.1]', '[::ffff:0.0.0.0]', '[::127.0.0.1]', '[0:0:0:0:0:0:0:0]'],
]
const OTHERS = [
  ...['a.example', 'localhost.a.example', 'mylocalhost', '127.0.0.1.a.example'],
  ...['128.0.0.1', '1.0.0.127', '[2001:db8::1]', '[::ffff:10.0.0.1]'],
]

const at = (place: string, resource: string) =>
  safePlace(place, { by: 'it', resource: new URL(resource) }).href
const opens = (place: string, resource: string) => expect(at(place, resource)).toBe(new URL(place).href)

describe('a place to sign in, for a server of another machine,', () => {
  it.each([...OWN, ...MAYBE_OWN])('is never this one: %s', (host) => {
    for (const [scheme, why] of [
      ['https', 'which is your own machine'],
      ['http', /which is your own machine|expected https/],
    ] as const)
      expect(() => at(`${scheme}://${host}:81/`, 'https://mcp.example/mcp')).toThrow(why)
  })

  it.each(OTHERS)('may be %s, by https', (host) => {
    opens(`https://${host}/`, 'https://mcp.example/mcp')
    expect(() => at(`http://${host}/`, 'https://mcp.example/mcp')).toThrow('expected https')
  })
})

describe('a place to sign in, for a server of this machine,', () => {
  it.each(OWN)('may be %s, by http', (host) => {
    opens(`http://${host}:81/`, 'http://localhost:80/mcp')
    opens(`http://127.0.0.1:81/`, `http://${host}:80/mcp`)
  })

  it.each([...MAYBE_OWN, ...OTHERS])('is %s by https alone', (host) => {
    opens(`https://${host}:81/`, 'http://localhost:80/mcp')
    expect(() => at(`http://${host}:81/`, 'http://localhost:80/mcp')).toThrow('expected https')
  })

  it.each(MAYBE_OWN)('is not this one where that is only likely: %s', (host) => {
    expect(() => at('http://127.0.0.1:81/', `http://${host}:80/mcp`)).toThrow('your own machine')
  })
})
