import { measure, median, readMemory, StdioClient, warmUp } from '../../dist/bench/index.js'
import { NEWEST_HANDSHAKE } from '../../dist/kernel/index.js'

/** One of two servers that are asked for the same. */
export async function openSide({ command, env }) {
  const client = new StdioClient({ command, env, revision: NEWEST_HANDSHAKE })
  await client.open()
  return client
}

/** Each side is asked for each thing, one at a time and then 16 at once, turn after turn; `asked` has the requests by their names. */
export async function takeTurns(sides, { cycles, seconds, warmUpCalls = 20_000 }) {
  const live = []
  for (const side of sides) {
    const client = await openSide(side)
    const idle = readMemory(client.pid)
    const asked = Object.entries(side.asked).map(([name, request]) => ({ name, request, one: [], many: [] }))
    for (const { request } of asked)
      await warmUp(client.flood({ asked: request, window: 16 }), { calls: warmUpCalls, seconds: 3 })
    live.push({ name: side.name, client, idle, asked })
  }
  const turn = ({ client }, { request }, window) =>
    measure(client.flood({ asked: request, window }), { pid: client.pid, seconds })
  for (let cycle = 0; cycle < cycles; cycle++)
    for (const at of live[0].asked.keys())
      for (const [list, window] of Object.entries({ one: 1, many: 16 }))
        for (const side of live) side.asked[at][list].push(await turn(side, side.asked[at], window))
  const rows = live.map(({ name, client, idle, asked }) => ({
    name,
    idle,
    used: readMemory(client.pid),
    asked: Object.fromEntries(asked.map(({ name: what, one, many }) => [what, summary(one, many)])),
  }))
  for (const { client } of live) await client.close()
  return rows
}

function summary(one, many) {
  return {
    p50: median(one.map(({ p50 }) => p50)),
    rates: many.map(({ rate }) => rate),
    /** Microseconds of the server's for each call. */
    cpu: median(many.map(({ cpu }) => cpu)) * 10,
    /** How much of a core whoever asks has used. */
    generator: median(many.map(({ generator }) => generator)),
    failed: [...one, ...many].reduce((sum, { failed }) => sum + failed, 0),
  }
}
