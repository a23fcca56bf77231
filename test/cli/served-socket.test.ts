import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { PERIGEE, perigee } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'perigee-socket-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const socket = join(folder, 's')

it('a ready server is served on a socket until it is told to stop', async () => {
  const serving = spawn(process.execPath, [PERIGEE, 'serve', 'primer', '--socket', socket])
  const [line] = (await once(createInterface({ input: serving.stderr }), 'line')) as [string]
  expect(line).toBe(`primer listens at ${socket}; Ctrl-C ends it.`)
  expect((statSync(socket).mode & 0o777).toString(8)).toBe('600')
  const [listed, refused] = await Promise.all([
    perigee(['tools', '--json', '--url', `unix:${socket}`]),
    perigee(['serve', 'primer', '--socket', socket]),
  ])
  expect([listed.status, JSON.parse(listed.stdout).length > 0]).toEqual([0, true])
  expect(refused).toMatchObject({
    status: 2,
    stderr: `perigee: socket: a server listens at ${socket} already\n`,
  })
  serving.kill('SIGTERM')
  expect((await once(serving, 'exit'))[0]).toBe(0)
  expect(existsSync(socket)).toBe(false)
  expect(await perigee(['ping', '--url', `unix:${socket}`])).toMatchObject({ status: 3 })
})

it.each([
  [['primer', '--socket', socket, '--http'], 'expected one of --stdio, --http and --socket'],
  [
    ['primer', '--socket', socket, '--port', '0'],
    '--port is for HTTP, and this would serve on a socket: leave out --socket',
  ],
  [
    ['primer', '--http', '--card', 'primer'],
    'card: name: expected a name such as com.example/weather, got "primer", or off',
  ],
])('%j is told what is wrong', async (args, message) => {
  const { status, stderr } = await perigee(['serve', ...args])
  expect(stderr).toContain(message)
  expect(status).toBe(2)
})
