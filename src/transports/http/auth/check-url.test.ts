import { describe, expect, it } from 'vitest'
import { checkNameUrl, checkUrl } from './check-url.ts'

describe('a URL without https', () => {
  it.each([
    'http://localhost/x',
    'http://LOCALHOST:8080',
    'http://127.0.0.1:1',
    'http://127.1.2.3',
    'http://[::1]:9',
  ])('may be on this machine: %s', (url) => {
    expect(checkUrl(url, 'u').href).toBe(new URL(url).href)
  })

  it.each([
    'http://localhost.evil/x',
    'http://evil.localhost.example.com',
    'http://xlocalhost',
    'http://127.0.0.1.evil',
    'http://x127.0.0.1.example.com',
    'http://[::2]',
    'ftp://localhost',
    'http://localhost@evil.example.com',
  ])('may be nowhere else: %s', (url) => {
    expect(() => checkUrl(url, 'u')).toThrow('u: expected a URL with https')
  })
})

it.each([
  'https://ann:hunter2@host/a?b',
  'https://ann@host/a',
  'https://:hunter2@host/a',
  'http://ann@localhost/a',
])('has no user in it, and none is repeated: %s', (url) => {
  expect(() => checkUrl(url, 'u')).toThrow(
    /^u: expected a URL without a user or a password in it, such as https?:\/\/(host|localhost)\/a$/,
  )
})

it.each(['https://host/a?key=hunter2', 'https://host/a#hunter2'])(
  'has no more than a path as a name: %s',
  (url) => {
    expect(() => checkNameUrl(url, 'u')).toThrow(
      /^u: expected a URL without query or fragment, such as https:\/\/host\/a$/,
    )
    expect(checkNameUrl('https://host/a', 'u').pathname).toBe('/a')
  },
)
