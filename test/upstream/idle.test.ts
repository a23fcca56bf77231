import { join } from 'node:path'
import { expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { connect } from '../../src/client/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { UpstreamConnections } from '../../src/modules/upstream/connections.ts'

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
