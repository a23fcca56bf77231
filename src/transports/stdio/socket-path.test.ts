import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { clearSocket, explainListening, readSocketPath } from './socket-path.ts'

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 's-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

it('is as long as the address of a socket may be', () => {
  const folder = createFolder()
  const longest = join(folder, 'x'.repeat(103 - folder.length - 1))
  expect(readSocketPath(longest)).toBe(longest)
  expect(() => readSocketPath(`${longest}x`)).toThrow(/has 104 bytes, and a socket's path may have 103/)
  expect(() => readSocketPath(join(folder, 'none', 's'))).toThrow(
    `there is no folder ${join(folder, 'none')}`,
  )
})

it('is left alone where there is nothing, where it is no socket, and where somebody listens', async () => {
  const folder = createFolder()
  await clearSocket(join(folder, 'nothing'))
  const file = join(folder, 'file')
  writeFileSync(file, 'kept')
  await expect(clearSocket(file)).rejects.toThrow('is no socket: nothing is overwritten')
  expect(existsSync(file)).toBe(true)
  const path = join(folder, 'socket')
  const server = createServer().listen(path)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  await expect(clearSocket(path)).rejects.toThrow(`a server listens at ${path} already`)
  expect(existsSync(path)).toBe(true)
})

/** Listens, and takes nobody in. */
const BUSY = `
  const { workerData: path, parentPort } = require('node:worker_threads')
  require('node:net').createServer().listen({ path, backlog: 1 }, () => {
    parentPort.postMessage('listening')
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
  })
`

/** Elsewhere a server that nobody gets through to is like one that has ended. */
const telling = process.platform === 'linux' ? ['a server'] : []

it.each(telling)('is left alone where %s is too busy to be heard', async () => {
  const path = join(createFolder(), 'socket')
  const worker = new Worker(BUSY, { eval: true, workerData: path })
  onTestFinished(() => void worker.terminate())
  await once(worker, 'message')
  for (let answer = 'connected'; answer === 'connected'; ) {
    const socket = connect(path)
    onTestFinished(() => void socket.destroy())
    answer = await new Promise((tell) =>
      socket.on('connect', () => tell('connected')).on('error', () => tell('full')),
    )
  }
  await expect(clearSocket(path)).rejects.toThrow('whether a server listens cannot be told: EAGAIN')
  expect(existsSync(path)).toBe(true)
})

it('says in words why nobody can listen there', () => {
  const failed = (code: string) => Object.assign(new Error('the words of the system'), { code })
  expect(explainListening('/s', failed('EADDRINUSE')).message).toBe('socket: a server listens at /s already')
  expect(explainListening('/s', failed('EACCES')).message).toBe(
    'socket: cannot listen at /s: the words of the system',
  )
})
