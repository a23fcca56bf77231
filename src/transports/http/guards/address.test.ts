import { expect, it } from 'vitest'
import type { Exchange, HttpHeaders } from '../exchange.ts'
import type { HttpSettings } from '../settings.ts'
import {
  checkForwarded,
  checkHost,
  checkOrigin,
  findForwarded,
  isLoopback,
  isNamed,
  listHosts,
  printable,
} from './address.ts'

const OWN = listHosts('127.0.0.1', 8181)
const from = (headers: HttpHeaders) => ({ headers, ownHosts: OWN }) as Exchange // Nothing else of it is asked for.
const settings = (more: Partial<HttpSettings> = {}) =>
  ({
    allowedHosts: [],
    allowedOrigins: [],
    allowAnonymous: false,
    authenticator: undefined,
    ...more,
  }) as unknown as HttpSettings

const hostStatus = (host: string | undefined, allowedHosts: readonly string[] = []) =>
  checkHost(from(host === undefined ? {} : { host }), settings({ allowedHosts }))?.status

it.each([
  ['127.0.0.1:8181', [], undefined],
  ['LOCALHOST:8181', [], undefined],
  ['[::1]:8181', [], undefined],
  ['localhost:8182', [], 403],
  ['localhost', [], 403],
  ['evil.example', [], 403],
  [undefined, [], 400],
  ['', [], 400],
  ['mcp.example', ['mcp.example'], undefined],
  ['mcp.example:8443', ['MCP.example'], undefined],
  ['mcp.example:8443', ['mcp.example:8443'], undefined],
  ['mcp.example:8444', ['mcp.example:8443'], 403],
  ['evil.mcp.example', ['mcp.example'], 403],
])('the host %s, with %j allowed: %s', (host, allowed, status) => {
  expect(hostStatus(host, allowed)).toBe(status)
})

it('says how a host would be allowed, in words that can be typed', () => {
  const said = (host: string) => checkHost(from({ host }), settings())?.error.message
  expect(said('mcp.example:8443')).toContain('the host "mcp.example:8443" is not one of ours')
  expect(said('mcp.example:8443')).toContain('--allow-host mcp.example (allowedHosts)')
  expect(said('a b')).toContain('--allow-host NAME')
  const whole = 'x'.repeat(200)
  expect([printable(whole), printable(`${whole}x`)]).toEqual([`"${whole}"`, 'one of 201 characters'])
})

it.each([
  [undefined, [], undefined],
  ['http://localhost:8181', [], undefined],
  ['HTTP://LOCALHOST:8181', [], undefined],
  ['https://localhost:8181', [], 403],
  ['http://localhost:8182', [], 403],
  ['null', [], 403],
  ['https://page.example', ['https://page.example'], undefined],
  ['https://page.example', ['https://other.example'], 403],
])('the origin %s, with %j allowed: %s', (origin, allowedOrigins, status) => {
  expect(
    checkOrigin(from(origin === undefined ? {} : { origin }), settings({ allowedOrigins }))?.status,
  ).toBe(status)
})

it.each(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via'])(
  'nobody comes through a proxy (%s) to a server that asks nobody for a key',
  (name) => {
    const exchange = from({ [name]: '' })
    expect(findForwarded(exchange)).toBe(name)
    expect(checkForwarded(exchange, settings())?.status).toBe(403)
    expect(checkForwarded(exchange, settings({ allowAnonymous: true }))).toBe(undefined)
    expect(checkForwarded(exchange, settings({ authenticator: (() => {}) as never }))).toBe(undefined)
    expect(checkForwarded(from({}), settings())).toBe(undefined)
  },
)

it.each([
  ['mcp.example', true],
  ['mcp.example:1', true],
  ['localhost:8181', false],
  ['127.0.0.1', false],
  ['[::1]:1', false],
  ['other.example', false],
])('%s is a name that was allowed, and none of this machine: %s', (host, named) => {
  expect(
    isNamed(from({ host }), settings({ allowedHosts: ['mcp.example', 'localhost', '127.0.0.1', '[::1]'] })),
  ).toBe(named)
  expect(isNamed(from({}), settings({ allowedHosts: ['mcp.example'] }))).toBe(false)
})

it('lists what an address may be called', () => {
  expect(OWN).toEqual(['127.0.0.1:8181', 'localhost:8181', '127.0.0.1:8181', '[::1]:8181'])
  expect(listHosts('::ffff:10.0.0.5', 8181)).toEqual(['10.0.0.5:8181'])
  expect(listHosts('fe80::1', 80)).toEqual(['[fe80::1]:80', '[fe80::1]'])
})

it('tells this machine from others', () => {
  const addresses = [
    'localhost',
    '::1',
    '127.0.0.1',
    '127.255.0.7',
    '128.0.0.1',
    '127.0.0',
    '127.0.0.1.evil.example',
    '::2',
  ]
  expect(addresses.map(isLoopback)).toEqual([true, true, true, true, false, false, false, false])
})
