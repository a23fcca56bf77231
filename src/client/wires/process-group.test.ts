import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, it, onTestFinished, vi } from 'vitest'
import { HAS_GROUPS } from './process-group.ts'

it('whoever ends a server with this process is there before the server is', async () => {
  vi.resetModules() // Another file may have one that watches.
  const { connect } = await import('../connect.ts')
  const started: ChildProcess[] = []
  const note = (message: unknown) => void started.push((message as { process: ChildProcess }).process)
  subscribe('child_process', note)
  onTestFinished(() => void unsubscribe('child_process', note))
  const server = { command: process.execPath, args: ['-e', ''], ownGroup: true }
  await expect(connect(server)).rejects.toThrow('The server ended')
  const [first] = started.map(({ spawnfile }) => spawnfile)
  expect(first).toBe(HAS_GROUPS ? '/bin/sh' : process.execPath)
})
