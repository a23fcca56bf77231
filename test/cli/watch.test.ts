import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineServer, serveHttp } from '../../src/index.ts'
import { CURIOUS, PERIGEE, perigee } from './run.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-watch-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a command until it has printed all of this, and ends it with a signal. */
async function until(args: readonly string[], expected: readonly RegExp[], signal: NodeJS.Signals) {
  const child = spawn(process.execPath, [PERIGEE, ...args])
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const seen = { stdout: '', stderr: '' }
  const whole = new Promise<void>((resolve) => {
    const look = (name: keyof typeof seen, stream: ChildProcessWithoutNullStreams['stdout']) =>
      stream.setEncoding('utf8').on('data', (text: string) => {
        seen[name] += text
        if (expected.every((one) => one.test(seen.stdout + seen.stderr))) resolve()
      })
    look('stdout', child.stdout)
    look('stderr', child.stderr)
  })
  const giveUp = setTimeout(() => child.kill('SIGKILL'), 90_000)
  await Promise.race([whole, closed])
  child.kill(signal)
  const [status] = await closed
  clearTimeout(giveUp)
  return { ...seen, status }
}

describe('watch', () => {
  it.each(['2024-11-05', '2025-11-25', '2026-07-28'])(
    'prints what changes, by name, in %s',
    async (revision) => {
      const line = ['watch', 'memo://text', '--revision', revision, '--env', 'GROWS=1', ...CURIOUS]
      const { status, stdout, stderr } = await until(
        line,
        [/tools have changed: \+grown_\d+/, /memo:\/\/text has changed/],
        'SIGINT',
      )
      expect(stdout).toMatch(/^\d\d:\d\d:\d\d /)
      expect(stderr).toContain('watching curious: tools, prompts, resources, memo://text\n')
      expect([status, stderr.endsWith('perigee: stopped\n')]).toEqual([130, true])
    },
  )

  it('prints a line of JSON for each with --json', async () => {
    const line = ['watch', '--json', '--env', 'GROWS=1', ...CURIOUS]
    const { stdout, status } = await until(line, [/"added":\["grown_/], 'SIGTERM')
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((one) => JSON.parse(one))).toContainEqual({
      time: expect.any(String),
      change: {
        kind: 'tools',
        added: expect.arrayContaining([expect.stringMatching(/^grown_/)]),
        removed: expect.any(Array),
        changed: [],
      },
    })
    expect(status).toBe(143)
  })

  it.each(['2025-11-25', '2026-07-28'])('ends when the server does, in %s: 3', async (revision) => {
    const outcome = await perigee(['watch', '--revision', revision, '--env', 'DIES=1500', ...CURIOUS])
    expect(outcome).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/perigee: The server ended \(.*: 7\)\n$/),
    })
  })

  it('prints what is logged, over HTTP', async () => {
    const server = defineServer({ name: 'busy', version: '1.0.0', tools: [{ name: 'x', run: () => 'x' }] })
    const http = await serveHttp(server)
    const growing = setInterval(() => {
      server.tools.add({ name: `t${Math.random()}`, run: () => 'new' })
    }, 200)
    try {
      const { stdout } = await until(['watch', '--url', http.url], [/tools have changed: \+t0\./], 'SIGINT')
      expect(stdout).toMatch(/tools have changed: \+t0\.\d+/)
    } finally {
      clearInterval(growing)
      await http.close(0)
    }
  })
})

describe('a call that is stopped', () => {
  it.each<[NodeJS.Signals, number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('by %s is called off at the server’s, and leaves no child', async (signal, code) => {
    const diary = join(folder, signal)
    const child = spawn(process.execPath, [PERIGEE, 'call', 'wait', '--env', `DIARY=${diary}`, ...CURIOUS])
    const closed = once(child, 'close')
    const giveUp = setTimeout(() => child.kill('SIGKILL'), 60_000)
    await expect.poll(() => read(diary), { timeout: 60_000 }).toContain('waiting')
    child.kill(signal)
    const [status] = (await closed) as [number]
    clearTimeout(giveUp)
    expect([status, read(diary)]).toEqual([code, expect.stringContaining('cancelled')])
    const [, pid = ''] = /^pid (\d+)$/m.exec(read(diary)) ?? []
    expect(() => process.kill(Number(pid), 0)).toThrow()
  })
})

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // It has not been begun.
  }
}
