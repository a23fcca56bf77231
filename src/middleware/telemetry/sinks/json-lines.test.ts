import { expect, it } from 'vitest'
import { talk } from '../../../../test/setup/talk.ts'
import { handClock, sample } from '../../../../test/telemetry/telemetry-sample.ts'
import { type JsonLinesOptions, jsonLines } from '../index.ts'

const VERSION = '2025-11-25'

async function conversation(options: Omit<JsonLinesOptions, 'write'>, recordArguments = false) {
  const lines: string[] = []
  const sink = jsonLines({ ...options, write: (line) => lines.push(line) })
  const to = talk(sample([sink], { clock: handClock(), recordArguments }), VERSION)
  await to.ask('tools/call', { name: 'echo', arguments: { a: 1 } })
  await to.ask('tools/call', { name: 'broken' })
  await to.ask('tools/call', { name: 'none\n\u001b[31m' })
  await to.ask('resources/read', { uri: 'memo://one' })
  to.send('nonsense')
  to.close()
  return lines
}

it('writes a line of JSON for everything that happens', async () => {
  const lines = await conversation({ level: 'debug' })
  expect(lines.every((line) => line.endsWith('}\n') && line.indexOf('\n') === line.length - 1)).toBe(true)
  const parsed = lines.map((line) => JSON.parse(line) as { event: string; level: string })
  expect(parsed.map(({ event, level }) => `${event} ${level}`)).toEqual([
    'received debug',
    'opened info',
    'completed info',
    'received debug',
    'invoked info',
    'completed info',
    'received debug',
    'crashed error',
    'invoked info',
    'completed warning',
    'received debug',
    'completed error',
    'received debug',
    'completed info',
    'unreadable error',
    'closed info',
  ])
  expect(parsed[5]).toEqual({
    time: '2026-01-01T00:00:00.000Z',
    level: 'info',
    event: 'completed',
    method: 'tools/call',
    id: 'q1',
    tool: 'echo',
    durationMs: 0,
    outcome: 'ok',
    protocol: VERSION,
  })
})

it('writes nothing below its level, which is info unless said otherwise', async () => {
  const events = async (options: Omit<JsonLinesOptions, 'write'>) =>
    new Set((await conversation(options)).map((line) => (JSON.parse(line) as { level: string }).level))
  expect(await events({})).toEqual(new Set(['info', 'warning', 'error']))
  expect(await events({ level: 'error' })).toEqual(new Set(['error']))
  expect(await events({ level: 'critical' })).toEqual(new Set())
})

it('writes lines for people, without colours, that no name can break', async () => {
  const lines = await conversation({ format: 'pretty', level: 'debug' })
  const crash = lines.find((line) => line.includes('crashed'))?.split('\n') ?? []
  expect(crash[0]).toMatch(/tools\/call broken crashed: TypeError: cannot use \{\}$/)
  expect(crash.slice(1, -1).every((line) => line.startsWith('    at '))).toBe(true)
  expect(crash.length).toBeGreaterThan(3)
  const others = lines.filter((line) => !line.includes('crashed'))
  expect(others.every((line) => /^[^\p{Cc}]+\n$/u.test(line))).toBe(true)
  const said = lines.map((line) => line.slice('2026-01-01T00:00:00.000Z '.length, -1))
  expect(said.filter((line) => !line.includes('crashed'))).toEqual([
    'debug   → initialize #open',
    `info    session opened: test 1 (${VERSION})`,
    'info    ← initialize #open ok in 0 ms',
    'debug   → tools/call echo #q1',
    'info      tool echo ok in 0 ms',
    'info    ← tools/call echo #q1 ok in 0 ms',
    'debug   → tools/call broken #q2',
    'info      tool broken tool_error in 0 ms',
    'warning ← tools/call broken #q2 tool_error in 0 ms',
    'debug   → tools/call none\\u{a}\\u{1b}[31m #q3',
    'error   ← tools/call none\\u{a}\\u{1b}[31m #q3 error -32602 Unknown tool in 0 ms',
    'debug   → resources/read memo://one #q4',
    'info    ← resources/read memo://one #q4 ok in 0 ms',
    'error   unreadable -32700 Parse error',
    'info    session closed after 0 ms',
  ])
})

it('colours the level when it is asked to', async () => {
  const lines = await conversation({ format: 'pretty', colour: true, level: 'error' })
  expect(lines.every((line) => line.includes('\u001b[31merror  \u001b[39m '))).toBe(true)
})

it('writes arguments and results when they are asked for', async () => {
  const invoked = (lines: readonly string[]) =>
    lines.find((line) => line.includes('tool') && line.includes('echo'))
  const json = invoked((await conversation({}, true)).filter((line) => line.includes('invoked')))
  expect(JSON.parse(json ?? '')).toMatchObject({
    arguments: '{"a":1}',
    result: expect.stringContaining('content'),
  })
  expect(invoked(await conversation({ format: 'pretty' }, true))).toContain('ms {"a":1} → {"content"')
})

it('tells of a flood of nonsense ten times, and how much more there was', () => {
  const lines: { readonly code?: number; readonly unsaid?: number }[] = []
  const clock = handClock()
  const sink = jsonLines({ write: (line) => lines.push(JSON.parse(line)) })
  const to = talk(sample([sink], { clock }))
  for (let count = 0; count < 30; count++) to.send('nonsense')
  expect(lines).toHaveLength(10)
  clock.at += 60_000
  to.send('nonsense')
  expect(lines.at(-1)).toMatchObject({ code: -32700, unsaid: 20 })
  to.close()
})

it('has nothing in a line of JSON that could end it, hide in it or turn it round', async () => {
  const lines: string[] = []
  const to = talk(sample([jsonLines({ write: (line) => lines.push(line) })]), VERSION)
  const name = 'a\u0085b\u2028c\u202ed\u{e0001}'
  await to.ask('tools/call', { name })
  const line = lines.at(-1) ?? ''
  expect(line).toContain('"tool":"a\\u0085b\\u2028c\\u202ed\\udb40\\udc01"')
  expect(JSON.parse(line)).toMatchObject({ tool: name })
})
