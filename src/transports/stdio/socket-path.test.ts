import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

it('says in words why nobody can listen there', () => {
  const failed = (code: string) => Object.assign(new Error('the words of the system'), { code })
  expect(explainListening('/s', failed('EADDRINUSE')).message).toBe('socket: a server listens at /s already')
  expect(explainListening('/s', failed('EACCES')).message).toBe(
    'socket: cannot listen at /s: the words of the system',
  )
})
