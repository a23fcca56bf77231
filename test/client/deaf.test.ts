import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Client, connect } from '../../src/client/index.ts'
import { child, OPENED } from './hostile.ts'

const BIG = 'x'.repeat(4 * 1024 * 1024)

/** Makes calls and gives each up, until one is refused for what waits. */
async function callAndCancel(client: Client): Promise<unknown> {
  for (let calls = 0; calls < 40; calls++) {
    const stop = new AbortController()
    const call = client.callTool('t', { BIG }, { signal: stop.signal }).catch((error: unknown) => error)
    // What is refused at once is refused before anybody has had a turn.
    await new Promise(setImmediate)
    stop.abort('enough')
    const outcome = await call
    if (outcome !== 'enough') return outcome
  }
  return 'never refused'
}

const REFUSED = {
  reason: 'too-much',
  message: expect.stringMatching(/The server does not read: \d+ bytes wait, of at most 67108864/),
  details: { unsent: true },
}

it('a server on stdio that stops reading is not written to without end', async () => {
  const deaf = child(
    `if (method === 'tools/list') { process.stdin.pause(); setInterval(() => {}, 1000); reply({ tools: [] }) }`,
  )
  await using client = await connect(deaf)
  await client.tools()
  expect(await callAndCancel(client)).toMatchObject(REFUSED)
  await expect(client.notify('notifications/roots/list_changed', { BIG })).rejects.toMatchObject(REFUSED)
})

it('and neither is one on a socket', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deaf-'))
  const path = join(folder, 'socket')
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.once('data', (chunk) => {
      socket.pause()
      const { id } = JSON.parse(String(chunk))
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: OPENED })}\n`)
    })
  }).listen(path)
  await once(server, 'listening')
  try {
    const client = await connect({ socket: path }, { revision: OPENED.protocolVersion })
    expect(await callAndCancel(client)).toMatchObject(REFUSED)
    for (const socket of sockets) socket.destroy()
    await client.close()
  } finally {
    server.close()
    await rm(folder, { recursive: true })
  }
})
