import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { needTerminal } from '../cli/terminal.ts'
import { LineProcess } from '../setup/process.ts'

const PERIGEE = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')
const LATE = join(import.meta.dirname, 'late.mjs')
const folder = mkdtempSync(join(tmpdir(), 'perigee-operators-'))
afterAll(() => rmSync(folder, { recursive: true }))

const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
const send = (child: LineProcess, ...messages: object[]) =>
  child.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))

describe('--shutdown-timeout on stdio', () => {
  it.each([
    ['0', 'Stopped with a call under way after 0 s'],
    ['60', ''],
  ])('of %s s is how long calls may take after the end of input', async (seconds, told) => {
    const child = new LineProcess(PERIGEE, {
      args: ['serve', 'workbench', '--stdio', '--log-level', 'error', '--shutdown-timeout', seconds],
    })
    try {
      send(
        child,
        { id: 1, method: 'initialize', params },
        { id: 2, method: 'tools/call', params: { name: 'countdown', arguments: { seconds: 1 } } },
      )
      await child.lines.next()
      await child.end()
      expect(child.stderr).toContain(told)
      if (told === '') expect(child.stderr).toBe('')
    } finally {
      await child.kill()
    }
  })
})

it('a late throw does not end a server on stdio, and is told', async () => {
  const child = new LineProcess(LATE, { args: ['stdio'] })
  try {
    send(
      child,
      { id: 1, method: 'initialize', params },
      { id: 2, method: 'tools/call', params: { name: 'throw' } },
      { id: 3, method: 'tools/call', params: { name: 'slow' } },
    )
    for (const id of [1, 2, 3]) expect(await child.lines.next()).toContain(`"id":${id}`)
    expect(await child.end()).toBe(0)
    expect(child.stderr).toMatch(/uncaught exception crashed: Error: thrown too late\n {4}at /)
  } finally {
    await child.kill()
  }
})

it('many stray errors do not end a server on stdio, and are told of', async () => {
  const child = new LineProcess(LATE, { args: ['stdio'] })
  try {
    send(
      child,
      { id: 1, method: 'initialize', params },
      { id: 2, method: 'tools/call', params: { name: 'storm' } },
    )
    for (const id of [1, 2]) expect(await child.lines.next()).toContain(`"id":${id}`)
    send(child, { id: 3, method: 'tools/call', params: { name: 'slow' } })
    expect(await child.lines.next()).toContain('done at last')
    expect(await child.end()).toBe(0)
    expect(child.stderr.match(/More than 100 uncaught errors within 10 s: the server goes on/g)).toHaveLength(
      1,
    )
  } finally {
    await child.kill()
  }
})

describe('a database that cannot be opened', () => {
  it.each([
    ['bossman', ['--store', `sqlite:${join(folder, 'no', 'such', 'folder', 'tasks.db')}`], 'no/such/folder'],
    ['bossman', ['--store', 'postgres://me:hunter2@127.0.0.1:1/tasks'], '127.0.0.1:1'],
    ['workbench', ['--tasks', `sqlite:${folder}`], folder],
  ])('is told when %s starts, with %j, and it stays up', async (server, args, named) => {
    const child = new LineProcess(PERIGEE, { args: ['serve', server, '--stdio', ...args] })
    try {
      await expect.poll(() => child.stderr).toContain('tried again with the next call')
      expect(child.stderr).toContain(named)
      expect(child.stderr).not.toContain('hunter2')
      send(child, { id: 1, method: 'initialize', params })
      expect(await child.lines.next()).toContain('"id":1')
    } finally {
      await child.kill()
    }
  })
})

describe('on a terminal', () => {
  beforeEach(needTerminal)

  /** Runs a command as if somebody had typed it, who then presses Ctrl-D. */
  const { NO_COLOR, FORCE_COLOR, CI, ...plain } = process.env
  const type = (command: string, env: object = {}) =>
    spawnSync('script', ['-qec', command, '/dev/null'], {
      input: '\u0004',
      encoding: 'utf8',
      env: { ...plain, TERM: 'xterm-256color', ...env },
      timeout: 20_000,
    }).stdout

  it('a server in a file of one’s own says what it is, in colour unless NO_COLOR is set', () => {
    const command = `${process.execPath} ${LATE} stdio`
    const greeting = type(command)
    expect(greeting).toContain('\u001b[1mlate\u001b[22m speaks MCP on stdin and stdout')
    expect(greeting).toContain(`claude mcp add late -- node ${LATE} stdio`)
    expect(type(command, { NO_COLOR: '1' })).toContain('late speaks MCP on stdin and stdout')
  })

  it('a program that listens says where, and how to plug it in', async () => {
    const env = { ...plain, NO_COLOR: '1' }
    const child = spawn('script', ['-qec', `${process.execPath} ${LATE} http`, '/dev/null'], { env })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('claude mcp add') && said.endsWith('\n')) child.stdin.write('\u0003') // As Ctrl-C does.
    })
    await once(child, 'close')
    const [, url = ''] = /^late is listening at (http:\S+); Ctrl-C ends it\.\r$/m.exec(said) ?? []
    expect(said).toContain(`claude mcp add --transport http late ${url}\r`)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
  })

  it('lines are for people, and nothing is said at the level off', () => {
    const typed = `echo '{' | ${process.execPath} ${PERIGEE} serve ccmcp --stdio`
    expect(type(typed)).toContain('\u001b[31merror  \u001b[39m unreadable -32700')
    expect(type(typed, { NO_COLOR: '1' })).toMatch(/Z error {3}unreadable -32700/)
    expect(type(`${process.execPath} ${PERIGEE} serve ccmcp --stdio --log-level off`)).not.toContain('speaks')
  })
})
