import { once } from 'node:events'
import { dial, sleep } from '../kit/http.mjs'
import { startVictim } from '../kit/victim.mjs'

/** Somebody who never finishes a request must not keep the server from stopping. */
export default {
  name: 'half a request at the end',
  server: { args: ['serve', '--port', '0'] },
  refused: false,
  async attack() {
    const victim = await startVictim({ args: ['serve', '--port', '0', '--shutdown-timeout', '20'] })
    const socket = await dial(victim.port)
    socket.write(
      `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${victim.port}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    )
    await sleep(200)
    victim.child.kill('SIGTERM')
    const late = sleep(10_000).then(() => ['late'])
    const [code] = await Promise.race([once(victim.child, 'exit'), late])
    socket.destroy()
    await victim.stop()
    return { failed: code === 0 ? [] : [`it ended with ${code}`] }
  },
}
