import { dial, many, sleep } from '../kit/http.mjs'

/** Bodies in chunks of one byte, and many that stop just before their end. */
export default {
  name: 'bodies in small pieces',
  server: { args: ['serve', '--port', '0'] },
  async attack({ port }, { short }) {
    const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`
    const bytes = short ? 100_000 : 300_000
    const refusals = new Set()
    const listen = (socket) =>
      socket.on('data', (chunk) => {
        const [, said] = /"message":"([^"]*)"/.exec(chunk.toString()) ?? []
        if (said !== undefined) refusals.add(said)
      })
    const dripping = await many(6, 6, () => dial(port))
    await many(dripping.length, 6, async (one) => {
      const socket = dripping[one]
      listen(socket)
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
      for (let sent = 0; sent < bytes; sent += 1000) {
        socket.write('1\r\n \r\n'.repeat(1000))
        await sleep(1)
      }
    })
    const halves = await many(120, 16, () => dial(port))
    for (const socket of halves) {
      listen(socket)
      socket.write(`${head}content-length: 1000001\r\n\r\n${' '.repeat(1_000_000)}`)
    }
    await sleep(short ? 2000 : 4000)
    for (const socket of [...dripping, ...halves]) socket.destroy()
    return { refusals: [...refusals] }
  },
}
