import { join } from 'node:path'
import { expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { connect } from '../../src/client/index.ts'
import { createTestClient } from '../../src/client/test-client.ts'
import type { Server } from '../../src/kernel/index.ts'
import { UpstreamConnections } from '../../src/modules/upstream/connections.ts'
import { upstream } from '../../src/modules/upstream/index.ts'

it('ends the process by which the lists are read when nobody has used it for a while', async () => {
  const rings = new Set<() => void>()
  const own = defineServer({ name: 'gateway', version: '1' })
  const after = (_milliseconds: number, run: () => void) => {
    rings.add(run)
    return () => void rings.delete(run)
  }
  const server: Server = Object.create(own, { platform: { value: { ...own.platform, after } } })
  const command = { command: process.execPath, args: [join(import.meta.dirname, 'quiet.mjs')] }
  const connections = new UpstreamConnections({
    name: 'behind',
    server,
    shared: false,
    isProcess: true,
    connect: () => connect(command),
  })
  const client = await connections.everybodys()
  const over = new Promise<void>((resolve) => client.whenOver(resolve))
  expect(rings.size).toBe(1)
  for (const ring of rings) ring()
  await over
  expect(await connections.everybodys()).not.toBe(client)
  await connections.close()
  await own.close()
})

it('keeps the process that has taken the place of another when that one is over', async () => {
  const own = defineServer({ name: 'gateway', version: '1' })
  const command = { command: process.execPath, args: [join(import.meta.dirname, 'quiet.mjs')] }
  const connections = new UpstreamConnections({
    name: 'behind',
    server: own as Server,
    shared: false,
    isProcess: true,
    connect: () => connect(command),
  })
  const first = await connections.everybodys()
  connections.renew()
  const second = await connections.everybodys()
  await first.close()
  expect(await connections.everybodys()).toBe(second)
  const over = new Promise<void>((resolve) => second.whenOver(resolve))
  await connections.close()
  await over
  await own.close()
})

it('ends a process that has not answered its handshake when nobody wants it any more', async () => {
  const own = defineServer({ name: 'gateway', version: '1' })
  const target = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] }
  const connections = new UpstreamConnections({
    name: 'behind',
    server: own as Server,
    shared: false,
    isProcess: true,
    connect: (_held, signal) => connect(target, { signal, revision: '2025-11-25' }),
  })
  const opening = connections.everybodys()
  await Promise.all([expect(opening).rejects.toThrow('The upstream is closed'), connections.close()])
  await own.close()
})

it('lists what a server has added while its lists were read for the first time', async () => {
  const command = { command: process.execPath, args: [join(import.meta.dirname, 'growing.mjs')] }
  const server = defineServer({
    name: 'gateway',
    version: '1',
    modules: [upstream('growing', { ...command, prefix: '' })],
  })
  const client = await createTestClient(server)
  await expect.poll(async () => (await client.tools()).map(({ name }) => name)).toEqual(['first', 'second'])
  client.close()
  await server.close()
})
