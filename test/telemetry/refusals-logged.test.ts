import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LineProcess } from '../setup/process.ts'

const PERIGEE = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')

const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params }

function call(id: number | string, name: string, args: object, meta: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, _meta: meta } }
}

/** What the log says of requests that were refused: the id, and the flag that would have allowed it. */
async function refusedBy(
  flags: readonly string[],
  messages: readonly object[],
): Promise<readonly [id: unknown, flag: unknown][]> {
  const child = new LineProcess(PERIGEE, {
    args: ['serve', 'workbench', '--stdio', '--tasks', 'memory:', '--log-level', 'warning', ...flags],
  })
  try {
    for (const message of messages) child.write(`${JSON.stringify(message)}\n`)
    await child.end()
    const lines = child.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(child.stderr).not.toContain('hunter2')
    const told = lines.map(({ method, id, flag }) => [id, `${method} ${flag}`] as [number, string])
    return told.toSorted(([one], [other]) => one - other)
  } finally {
    await child.kill()
  }
}

it('what goes past a budget is logged with its id and the flag that would allow it', async () => {
  const flags = {
    'max-line': 2000,
    'max-id': 10,
    'max-progress-token': 3,
    'max-completion': 3,
    'max-task-list': 100,
    'max-moon-years': 1,
    'max-template': 30,
    'max-batch-answer': 1,
    timeout: 1,
  }
  const completion = { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'id', value: 'hunter2' } }
  const told = await refusedBy(
    Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
    [
      INITIALIZE,
      call(2, 'echo', { message: 'hunter2'.repeat(300) }),
      call(3, 'echo', { message: 'x' }, { progressToken: 'hunter2' }),
      { jsonrpc: '2.0', id: 4, method: 'completion/complete', params: completion },
      call(5, 'create_task', { description: 'hunter2'.repeat(20) }),
      call(6, 'moon_events', { from: '2020-01-01', to: '2024-01-01' }),
      call(7, 'register_tool', { name: 'hunter2', description: 'd', template: 'hunter2'.repeat(9) }),
      call(8, 'countdown', { seconds: 3 }),
      [call(9, 'echo', { message: 'a' }), call(10, 'echo', { message: 'hunter2' })],
      call('hunter2hunter2', 'echo', { message: 'x' }),
    ],
  )
  expect(told).toEqual([
    [null, 'tools/call --max-id'],
    [2, 'tools/call --max-line'],
    [3, 'tools/call --max-progress-token'],
    [4, 'completion/complete --max-completion'],
    [5, 'tools/call --max-task-list'],
    [6, 'tools/call --max-moon-years'],
    [7, 'tools/call --max-template'],
    [8, 'tools/call --timeout'],
    [10, 'tools/call --max-batch-answer'],
  ])
})

it('so is what scripts, searches and checks may not do', async () => {
  const flags = {
    offer: 'code',
    'max-script-output': 10,
    'max-script-ms': 300,
    'max-script-calls': 1,
    'max-script-arguments': 20,
    'max-script-memory': 4_000_000,
  }
  const told = await refusedBy(
    Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
    [
      INITIALIZE,
      call(2, 'run', { code: 'return "hunter2".repeat(50)' }),
      call(3, 'run', { code: 'for (;;) {}' }),
      call(4, 'run', { code: 'await tools.echo({ message: "a" }); await tools.echo({ message: "b" })' }),
      call(5, 'run', { code: 'await tools.echo({ message: "hunter2".repeat(40) })' }),
      call(6, 'run', { code: 'return new Uint8Array(1e9)' }),
    ],
  )
  expect(told).toEqual([
    [2, 'tools/call --max-script-output'],
    [3, 'tools/call --max-script-ms'],
    [4, 'tools/call --max-script-calls'],
    [5, 'tools/call --max-script-arguments'],
    [6, 'tools/call --max-script-memory'],
  ])
})

it('and what comes too often, or says too much of itself', async () => {
  const flags = ['--rate-limit', '1', '--max-check-steps', '1']
  const calls = [call(2, 'create_task', { description: 'a', tags: ['hunter2'] }), call(3, 'echo', {})]
  expect(await refusedBy(flags, [INITIALIZE, ...calls])).toEqual([
    [2, 'tools/call --max-check-steps'],
    [3, 'tools/call --rate-limit'],
  ])
  expect(await refusedBy(['--max-introduction', '10'], [INITIALIZE])).toEqual([
    [1, 'initialize --max-introduction'],
  ])
})
