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
    JSON.stringify({ root: '/from/file', one: { colour: 'green' }, ccmcp: { colour: 'grey' } }),
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
  ['a setting that nobody knows', '{"rot":"x"}', 'there is no setting rot. Did you mean root? See --help'],
  ['one of its own that nobody knows', '{"one":{"colur":"x"}}', 'no setting colur. Did you mean colour?'],
  ['a section for itself, misspelt', '{"onee":{}}', 'there is no server onee. Did you mean one?'],
  ['a section for another, misspelt', '{"ccmpc":{}}', 'there is no server ccmpc. Did you mean ccmcp?'],
  [
    'a section for the gateway, misspelt',
    '{"gatway":{}}',
    'there is no server gatway. Did you mean gateway?',
  ],
  ['a setting with settings in it', '{"root":{"x":1}}', 'root: expected a value, got an object'],
  ['true for a text', '{"key":true}', 'key: expected a text in quotes, got the boolean true'],
  ['null for a text', '{"one":{"key":null}}', 'key: expected a text in quotes, got null'],
  ['a number for a text', '{"key":5}', 'key: expected a text in quotes, got a number'],
  ['a list for a text', '{"log-level":["debug"]}', 'log-level: expected a text in quotes, got an array'],
  ['true for a number', '{"port":true}', 'port: expected a number, got the boolean true'],
  [
    'a number in a list',
    '{"allow-host":["a.b",5]}',
    'allow-host[1]: expected a text in quotes, got a number',
  ],
  [
    'no list for one',
    '{"allow-host":true}',
    'allow-host: expected a text in quotes, or a list of them, got the boolean true',
  ],
  ['null for a switch', '{"metrics":null}', 'metrics: expected true or false, got null'],
  ['a list for a switch', '{"metrics":[true]}', 'metrics: expected true or false, got an array'],
  ['a section that is none', '{"one":5}', 'one: expected an object of settings, got the number 5'],
])('refuses a file that is or has %s', (_name, text, message) => {
  writeFileSync(file, text)
  expect(() => readConfig(server, ['--config', file])).toThrow(message)
})

it('takes of a file what is of the kind that a setting has', () => {
  const given = { port: 9000, 'max-body': 5, workers: 'auto', metrics: true, 'allow-host': ['a.b', 'c.d'] }
  writeFileSync(file, JSON.stringify({ ...given, 'allow-origin': 'https://a.b' }))
  const { settings, lists, switches } = readConfig(server, ['--config', file])
  expect(settings).toMatchObject({ port: '9000', 'max-body': '5', workers: 'auto' })
  expect(lists).toMatchObject({ 'allow-host': ['a.b', 'c.d'], 'allow-origin': ['https://a.b'] })
  expect([...switches]).toEqual(['metrics'])
})

it('refuses a section that nobody reads, and says which one is read', () => {
  writeFileSync(file, '{"mine":{"key":"hunter2hunter2"}}')
  const read = () => readConfig(server, ['--config', file])
  expect(read).toThrow(UsageError)
  expect(read).toThrow(
    `config: ${file}: there is no server mine. Expected: one for what is served here, or for others workbench, ccmcp,`,
  )
})

it('leaves alone what is for another server', () => {
  writeFileSync(file, '{"ccmcp":{"anything":1},"gateway":{}}')
  expect(readConfig(server, ['--config', file]).settings).toMatchObject({ root: '.' })
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
