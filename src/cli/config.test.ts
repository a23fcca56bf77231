import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import type { ReadyServer } from '../servers/ready-server.ts'
import { readConfig } from './config.ts'
import { UsageError } from './usage-error.ts'

const setting = (environment: string, fallback: string) => ({
  environment,
  placeholder: 'X',
  description: 'd',
  fallback,
})
const server: ReadyServer = {
  name: 'one',
  summary: 'a server',
  transport: 'stdio',
  logLevel: 'error',
  http: {},
  settings: { root: setting('ONE_ROOT', '.'), colour: setting('ONE_COLOUR', 'red') },
  create: () => expect.unreachable(),
}

const folder = mkdtempSync(join(tmpdir(), 'config-'))
const file = join(folder, 'config.json')

afterEach(() => {
  vi.unstubAllEnvs()
})
afterAll(() => rmSync(folder, { recursive: true }))

it('takes a flag over its variable, and that over the default', () => {
  expect(readConfig(server, []).settings).toMatchObject({ root: '.', colour: 'red' })
  vi.stubEnv('ONE_ROOT', '/from/environment')
  expect(readConfig(server, []).settings).toMatchObject({ root: '/from/environment', colour: 'red' })
  expect(readConfig(server, ['--root', '/from/flag']).settings).toMatchObject({
    root: '/from/flag',
    colour: 'red',
  })
  expect(readConfig(server, ['--root=/from/flag', '--colour=blue']).settings).toMatchObject({
    root: '/from/flag',
    colour: 'blue',
  })
})

it('knows when help or the version is wanted', () => {
  expect(readConfig(server, []).switches.size).toBe(0)
  for (const flag of ['--help', '-h']) expect([...readConfig(server, [flag]).switches]).toEqual(['help'])
  for (const flag of ['--version', '-v'])
    expect([...readConfig(server, [flag]).switches]).toEqual(['version'])
})

it.each([
  ['an unknown flag', ['--rot', 'x'], 'there is no option --rot. Did you mean --root? See --help'],
  ['an argument', ['stray'], '"stray" is no option. See --help'],
  ['a flag without its value', ['--root'], '--root: expected a value (X), got nothing'],
  ['a value that looks like a flag', ['--root', '--colour'], '--root: expected a value (X), got --colour'],
  ['a value for a flag that has none', ['--help=yes'], '--help: it takes no value, got "yes"'],
])('names %s, and what was expected', (_name, args, message) => {
  expect(() => readConfig(server, args)).toThrow(UsageError)
  expect(() => readConfig(server, args)).toThrow(message)
})

it('does not take an empty value for one', () => {
  expect(() => readConfig(server, ['--root', ''])).toThrow('root: expected a value, got an empty one')
})

it('takes an empty variable for one that is not set', () => {
  vi.stubEnv('ONE_ROOT', '')
  expect(readConfig(server, []).settings).toMatchObject({ root: '.' })
})

it('takes a variable over the file, and the file over the default', () => {
  writeFileSync(
    file,
    JSON.stringify({ root: '/from/file', one: { colour: 'green' }, two: { colour: 'grey' } }),
  )
  expect(readConfig(server, ['--config', file]).settings).toMatchObject({
    root: '/from/file',
    colour: 'green',
  })
  vi.stubEnv('ONE_ROOT', '/from/environment')
  expect(readConfig(server, ['--config', file]).settings).toMatchObject({ root: '/from/environment' })
})

it.each([
  ['no JSON', '{', 'cannot be used'],
  ['no object', '[]', 'expected a JSON object'],
  ['a setting that nobody knows', '{"rot":"x"}', 'there is no setting rot'],
])('refuses a file that is or has %s', (_name, text, message) => {
  writeFileSync(file, text)
  expect(() => readConfig(server, ['--config', file])).toThrow(message)
})

it('refuses a file that is not there', () => {
  expect(() => readConfig(server, ['--config', join(folder, 'nothing')])).toThrow('cannot be used')
})

it('serves in one way only', () => {
  expect(readConfig(server, []).transport).toBe('stdio')
  expect(readConfig(server, ['--http']).transport).toBe('http')
  expect(readConfig({ ...server, transport: 'http' }, ['--stdio']).transport).toBe('stdio')
  expect(() => readConfig(server, ['--http', '--stdio'])).toThrow(
    'expected one of --stdio, --http and --socket, got --stdio, --http',
  )
})

it('takes a switch from a variable where it says true or false, and nothing else', () => {
  const switched = {
    ...server,
    settings: { safe: { kind: 'switch', environment: 'ONE_SAFE', description: 'd' } },
  }
  const isSafe = (value: string) => {
    vi.stubEnv('ONE_SAFE', value)
    return readConfig(switched as ReadyServer, []).switches.has('safe')
  }
  expect(['true', '1', 'TRUE'].map(isSafe)).toEqual([true, true, true])
  expect(['false', '0', ''].map(isSafe)).toEqual([false, false, false])
  for (const value of ['yes', 'on', '2'])
    expect(() => isSafe(value)).toThrow(`ONE_SAFE: expected true or false, got "${value}"`)
})
