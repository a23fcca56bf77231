import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeEach, describe, expect, it as test } from 'vitest'
import { Child, call, OPENING, ping, textOf } from './child.ts'

/** Each has a process of its own, and most of them wait most of the time. */
const it = test.concurrent

const LONG = 60_000

/** What a call is answered that was at work when the grace went by. */
const LOST = { code: -32603, message: expect.stringContaining('is closing: it may have been') }

describe('at the end of input the process ends with 0', () => {
  it('when nothing was said', async () => {
    await using child = new Child()
    child.process.stdin.end()
    expect(await child.ended).toBe(0)
    expect(await child.rest()).toEqual([])
  })

  it('after the calls under way are answered', async () => {
    await using child = new Child()
    child.say(...OPENING, call(1, 'slow', { ms: 300 }), call(2, 'slow', { ms: 10 }))
    child.process.stdin.end()
    const ids = (await child.rest()).map(({ id }) => id)
    expect(ids).toEqual([0, 2, 1])
    expect(await child.ended).toBe(0)
  })

  it('with a timer left by a tool', async () => {
    await using child = new Child()
    child.say(...OPENING, call(1, 'leave_timer'))
    await child.answer(1)
    child.process.stdin.end()
    expect(await child.ended).toBe(0)
  })

  it('with a process left by a tool', async () => {
    await using child = new Child()
    child.say(...OPENING, call(1, 'leave_child'))
    const left = Number(textOf(await child.answer(1)))
    try {
      child.process.stdin.end()
      expect(await child.ended).toBe(0)
    } finally {
      process.kill(left, 'SIGKILL')
    }
  })

  it('but with 1 when a call never finishes, after a while', async () => {
    await using child = new Child({ settings: { finishMs: 100 } })
    child.say(...OPENING, call(1, 'never'))
    child.process.stdin.end()
    expect(await child.ended).toBe(1)
  })

  it('when a call asks a client that is gone, and the call is answered', async () => {
    await using child = new Child({ settings: { finishMs: LONG } })
    const [initialize, initialized] = OPENING
    const able = { ...initialize, params: { ...initialize.params, capabilities: { elicitation: {} } } }
    child.say(able, initialized, call('asking', 'late_question', { ms: 50 }))
    child.process.stdin.end()
    expect((await child.answer('asking')).result).toMatchObject({ isError: true })
    expect(await child.ended).toBe(0)
  })

  it('when nobody reads the answers, after a while', async () => {
    await using child = new Child({ reading: 'later', settings: { finishMs: 100 } })
    child.say(...OPENING)
    for (let id = 1; id <= 20; id++) child.say(call(id, 'large', { bytes: 1_000_000 }))
    child.process.stdin.end()
    expect(await child.ended).toBe(0)
  })

  it('when nobody reads the last answer, and no call is said to be under way', async () => {
    await using child = new Child({
      reading: 'later',
      settings: { finishMs: 100 },
      env: { FAIL_ON: 'noted' },
    })
    child.say(...OPENING, call(1, 'large', { bytes: 1_000_000 }))
    child.process.stdin.end()
    expect(await child.ended).toBe(0)
    await child.closed
    expect(child.stderr).toBe('')
  })

  it('and a slow reader gets every answer, however long that takes', async () => {
    await using child = new Child({ reading: 'later', settings: { finishMs: 1000 } })
    const bytes = 400_000
    const count = 12
    child.say(...OPENING)
    for (let id = 1; id <= count; id++) child.say(call(id, 'large', { bytes }))
    child.process.stdin.end()
    let received = 0
    const { stdout } = child.process
    stdout.on('data', (chunk: Buffer) => {
      received += chunk.length
      stdout.pause()
      setTimeout(() => stdout.resume(), 20)
    })
    expect(await child.ended).toBe(0)
    if (!stdout.readableEnded) await once(stdout.resume(), 'end')
    expect(received).toBeGreaterThan(bytes * count)
  })

  it('when a tool has destroyed stdin', async () => {
    await using child = new Child()
    child.say(...OPENING, call(1, 'shut_stdin'))
    expect(await child.ended).toBe(0)
    expect(textOf(await child.answer(1))).toBe('shut')
  })
})

describe('with streams that a shell gives, the process ends with 0', () => {
  beforeEach(({ skip }) => skip(process.platform === 'win32', 'Windows has another shell'))

  const server = join(import.meta.dirname, 'stdio-server.mjs')

  it.each([
    ['a closed stdin', '"$0" "$1" <&-', ''],
    ['an empty stdin', '"$0" "$1" </dev/null', ''],
    ['a directory for stdin', '"$0" "$1" </', ''],
    ['a closed stdout', `echo '${JSON.stringify(ping(1))}' | "$0" "$1" >&-`, ''],
    ['a full disk', `echo '${JSON.stringify(ping(1))}' | "$0" "$1" >/dev/full`, ''],
    [
      'a closed stderr',
      `echo '${JSON.stringify(ping(1))}' | "$0" "$1" 2>&-`,
      '{"jsonrpc":"2.0","id":1,"result":{}}\n',
    ],
    [
      'printf without a newline',
      `printf '%s' '${JSON.stringify(ping(1))}' | "$0" "$1"`,
      '{"jsonrpc":"2.0","id":1,"result":{}}\n',
    ],
    [
      'a reader that stops',
      `(for i in 1 2 3; do echo '${JSON.stringify(ping(1))}'; sleep 0.1; done) | ("$0" "$1"; echo $? >&2) | head -c 1 >/dev/null`,
      '',
    ],
  ])('%s', async (_name, command, output) => {
    const shell = spawn('sh', ['-c', command, process.execPath, server], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let heard = ''
    let told = ''
    shell.stdout.on('data', (chunk) => {
      heard += chunk
    })
    shell.stderr.on('data', (chunk) => {
      told += chunk
    })
    const [code] = await once(shell, 'close')
    expect({ code, heard, told: told.replace(/^0\n$/, '') }).toEqual({ code: 0, heard: output, told: '' })
  })
})

describe('the process ends with 0', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('on %s', async (signal) => {
    await using child = new Child()
    child.say(ping(1))
    await child.answer(1)
    child.process.kill(signal)
    expect(await child.ended).toBe(0)
  })

  it('on a signal, after the calls under way are answered', async () => {
    await using child = new Child({ settings: { stopMs: LONG } })
    child.say(...OPENING, call(1, 'slow', { ms: 300 }), ping(2))
    await child.answer(2)
    child.process.kill('SIGTERM')
    expect(textOf(await child.answer(1))).toBe('waited 300')
    expect(await child.ended).toBe(0)
  })

  it('but with 1 on a signal, after a while, when a call never finishes', async () => {
    await using child = new Child({ settings: { stopMs: 100 } })
    child.say(...OPENING, call(1, 'never'), ping(2))
    await child.answer(2)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(1)
  })

  it.each(['SIGTERM', 'the end of input'])(
    'but with 1 on %s, after a while, when calls are lost, each of which is answered and counted',
    async (how) => {
      await using child = new Child({ settings: { stopMs: 100, finishMs: 100, maxCallsPerPipe: 3 } })
      const [initialize, initialized] = OPENING
      const batching = { ...initialize, params: { ...initialize.params, protocolVersion: '2025-03-26' } }
      const batch = Array.from({ length: 12 }, (_, at) => call(at, at === 0 ? 'echo' : 'never'))
      child.say(batching, initialized, batch, call('waits', 'echo'), [call('and', 'echo')], ping('last'))
      await child.answer('last')
      if (how === 'SIGTERM') child.process.kill(how)
      else child.process.stdin.end()
      const heard = await child.rest()
      const again = { code: -32603, message: expect.stringContaining('is closing: call again') }
      expect(heard.flat()).toMatchObject([
        { id: 'waits', error: again },
        { id: 'and', error: again },
        { id: 0, result: {} },
        ...Array.from({ length: 8 }, (_, at) => ({ id: at + 1, error: LOST })),
        ...Array.from({ length: 3 }, (_, at) => ({ id: at + 9, error: again })),
        { params: { level: 'error', data: 'Stopped with 13 calls under way after 0.1 s' } },
      ])
      expect(await child.ended).toBe(1)
    },
  )

  it('but with 1 when its client asks it to, and a call is lost, of which it is told', async () => {
    await using child = new Child({ settings: { exitMs: 100 } })
    child.say(...OPENING, call(1, 'never'), { jsonrpc: '2.0', method: 'exit' })
    expect((await child.rest()).slice(1)).toMatchObject([
      { id: 1, error: LOST },
      {
        method: 'notifications/message',
        params: { level: 'error', data: 'Stopped with a call under way after 0.1 s' },
      },
    ])
    expect(await child.ended).toBe(1)
  })

  it('and as soon as the call is called off that it waits for', async () => {
    await using child = new Child({ settings: { exitMs: LONG } })
    child.say(...OPENING, call(1, 'never'), { jsonrpc: '2.0', id: 2, method: 'exit' })
    await child.answer(2)
    child.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    expect(await child.ended).toBe(0)
  })

  it('and answers nothing that comes after that', async () => {
    await using child = new Child()
    const exit = { jsonrpc: '2.0', id: 2, method: 'exit' }
    child.say(...OPENING, call(1, 'slow', { ms: 50 }), exit, ping(3), call(4, 'echo'))
    expect((await child.rest()).map(({ id }) => id)).toEqual([0, 2, 1])
    expect(await child.ended).toBe(0)
  })

  it('on a second signal at once', async () => {
    await using child = new Child({ settings: { stopMs: LONG } })
    child.say(...OPENING, call(1, 'never'), ping(2))
    await child.answer(2)
    child.process.kill('SIGTERM')
    child.process.kill('SIGINT')
    expect(await child.ended).toBe(0)
  })

  it('on a signal after the end of input at once', async () => {
    await using child = new Child({ settings: { finishMs: LONG, stopMs: LONG } })
    child.say(...OPENING, call(1, 'never'), call(2, 'slow', { ms: 50 }))
    child.process.stdin.end()
    await child.answer(2)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
  })

  it('when its client asks it to, and tells it so', async () => {
    await using child = new Child()
    child.say(...OPENING, { jsonrpc: '2.0', id: 1, method: 'exit' })
    expect(await child.answer(1)).toMatchObject({ result: {} })
    expect(await child.ended).toBe(0)
  })

  it('when the reader of its answers is gone', async () => {
    await using child = new Child()
    child.say(ping(1))
    await child.answer(1)
    child.process.stdout.destroy()
    // A process that is being started elsewhere may hold the reading end for a moment, so it is not said only once.
    const asking = setInterval(() => child.say(ping(2)), 50)
    const code = await child.ended
    clearInterval(asking)
    expect(code).toBe(0)
  })

  it('when the reader is gone while answers wait for it', async () => {
    await using child = new Child({ reading: 'later' })
    child.say(...OPENING)
    for (let id = 1; id <= 20; id++) child.say(call(id, 'large', { bytes: 1_000_000 }))
    await once(child.process.stdout, 'readable')
    child.process.stdout.destroy()
    expect(await child.ended).toBe(0)
  })
})

it('ends when its parent is killed, though its input stays open', async () => {
  await using parent = new Child({ script: 'parent.mjs', settings: { parentCheckMs: 50 } })
  parent.say(ping(1))
  await parent.answer(1)
  parent.process.kill('SIGKILL')
  expect(await parent.ended).toBe('SIGKILL')
  // Its output is the server's too, and ends only when both are gone.
  expect(await parent.rest()).toEqual([])
})

it('survives what a tool forgot to catch', async () => {
  await using child = new Child()
  child.say(...OPENING, call(1, 'stray'), call(2, 'slow', { ms: 50 }))
  expect(textOf(await child.answer(2))).toBe('waited 50')
  child.process.stdin.end()
  await child.closed
  expect(child.stderr).toContain('a stray exception')
  expect(child.stderr).toContain('a stray rejection')
})
