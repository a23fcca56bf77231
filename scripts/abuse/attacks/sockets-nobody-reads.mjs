import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sleep } from '../kit/http.mjs'
import { callTool, createLargeFile } from '../kit/large-file.mjs'
import { createSocketClient, openSocket, say } from '../kit/socket.mjs'

const { folder, name } = createLargeFile()
const home = mkdtempSync(join(tmpdir(), 'perigee-abuse-'))
process.on('exit', () => rmSync(home, { recursive: true }))
const path = join(home, 'socket')

/** Whether somebody who reads is answered. */
async function isServed() {
  const client = await createSocketClient(path)
  const { status } = await Promise.race([client.tool('add', { a: 1, b: 2 }), sleep(20_000).then(() => ({}))])
  client.close()
  return status === 200
}

async function untilItListens() {
  for (let round = 0; round < 200; round++) {
    const isUp = await isServed().catch(() => false)
    if (isUp) return
    await sleep(50)
  }
}

/** Clients of one socket, each within what one may leave unread, and together beyond any heap. */
export default {
  name: 'sockets nobody reads',
  server: { args: ['serve', 'workbench', '--socket', path, '--root', folder], transport: 'socket', path },
  refused: false,
  warmUp: untilItListens,
  async attack(_victim, { short }) {
    const sockets = await Promise.all(Array.from({ length: short ? 10 : 30 }, () => openSocket(path)))
    for (const socket of sockets) {
      socket.pause()
      for (let id = 0; id < 60; id++) say(socket, callTool(id, 'read_file', { path: name }))
    }
    await sleep(3000)
    const served = await isServed()
    for (const socket of sockets) socket.destroy()
    return { failed: served ? [] : ['whoever reads is not answered'] }
  },
}
