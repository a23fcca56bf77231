import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { talk } from '../../test/setup/talk.ts'
import { jsonLines, prometheus, telemetry } from '../middleware/telemetry/index.ts'
import type { Module } from './define.ts'
import { defineServer } from './define-server.ts'

const VERSION = '2025-11-25'
let written: string[]

beforeEach(() => {
  written = []
  vi.spyOn(console, 'error').mockImplementation((line: unknown) => void written.push(String(line)))
})
afterEach(() => void vi.restoreAllMocks())

function create(modules: readonly Module[] = [], more: Partial<Module> = {}) {
  return defineServer({
    name: 's',
    version: '1',
    tools: [
      { name: 'slips', run: () => (undefined as unknown as { member: string }).member },
      {
        name: 'declines',
        run: () => {
          throw new Error('there is no such thing')
        },
      },
    ],
    prompts: [{ name: 'empty', render: () => undefined as unknown as string }],
    modules,
    ...more,
  })
}

async function makeMistakes(server: ReturnType<typeof create>) {
  const to = talk(server, VERSION)
  await to.ask('tools/call', { name: 'slips' })
  await to.ask('prompts/get', { name: 'empty' })
  return to
}

it('writes what goes wrong inside a server to stderr: what, where, and with which tool or prompt', async () => {
  const to = await makeMistakes(create())
  expect(written).toHaveLength(2)
  expect(written[0]).toMatch(
    /error {3}tools\/call slips crashed: TypeError: Cannot read .*\n {4}at .*report\.test/,
  )
  expect(written[1]).toMatch(/error {3}prompts\/get empty crashed: Error: A prompt must give .*\n {4}at /)
  expect(JSON.stringify(to.heard)).not.toContain('report.test')
})

it('does not take what a tool says to the model for a mistake', async () => {
  await talk(create(), VERSION).ask('tools/call', { name: 'declines' })
  expect(written).toEqual([])
})

it('leaves it to telemetry that people read, and not to telemetry that only counts', async () => {
  const lines: string[] = []
  await makeMistakes(create([telemetry({ sinks: [jsonLines({ write: (line) => lines.push(line) })] })]))
  expect(written).toEqual([])
  expect(lines.filter((line) => line.includes('"crashed"'))).toHaveLength(2)
  await makeMistakes(create([telemetry({ sinks: [prometheus()] })]))
  expect(written).toHaveLength(2)
})

it('leaves it to an observer that says it reports', async () => {
  const kinds: string[] = []
  const observe: Module['observe'] = (event) => void kinds.push(event.kind)
  await makeMistakes(create([], { observe, reports: true }))
  expect(written).toEqual([])
  expect(kinds.filter((kind) => kind === 'crashed')).toHaveLength(2)
  await makeMistakes(create([], { observe }))
  expect(written).toHaveLength(2)
})

it.each([
  ['forgets to return', () => undefined, /The middleware guard gave nothing: does it return next\(call\)\?/],
  [
    'forgets to return later',
    async () => undefined,
    /A middleware gave nothing: does it return next\(call\)\?/,
  ],
  [
    'calls next with nothing',
    (_call: unknown, next: () => unknown) => next(),
    /The middleware guard called next without the call itself: next\(call\)/,
  ],
  ['throws', () => JSON.parse('{'), /SyntaxError: .*\n( {4}at .*\n)* {4}at guard/],
])('names a middleware that %s, and keeps it from the client', async (_name, run, expected) => {
  function guard(call: unknown, next: unknown) {
    return run(call, next as () => unknown) as never // As somebody without types would write it.
  }
  const to = talk(create([], { middleware: [guard] }))
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  const reply = await to.ask('initialize', params)
  expect(reply).toMatchObject({ error: { code: -32603, message: 'Internal error' } })
  expect(written).toHaveLength(1)
  expect(written[0]).toMatch(/error {3}initialize crashed: /)
  expect(written[0]).toMatch(expected)
})
