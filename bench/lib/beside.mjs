import { measure, median, readMemory, StdioClient, warmUp } from '../../dist/bench/index.js'
import { NEWEST_HANDSHAKE } from '../../dist/kernel/index.js'

/** One of two servers that are asked for the same. */
export async function openSide({ command, env }) {
  const client = new StdioClient({ command, env, revision: NEWEST_HANDSHAKE })
  await client.open()
  return client
}

/**
 * Each side is asked for each thing, so many at once and then more, turn after turn; `asked` has the requests by their
 * names. What is told of them is one at a time and 16 at once; the rates of all of them are in `ratesAt`.
 */
export async function takeTurns(sides, { cycles, seconds, warmUpCalls = 20_000, windows = [1, 16] }) {
  const live = []
  for (const side of sides) {
    const client = await openSide(side)
    const idle = readMemory(client.pid)
    const asked = Object.entries(side.asked).map(([name, request]) => ({
      name,
      request,
      turns: new Map(windows.map((window) => [window, []])),
    }))
    for (const { request } of asked)
      await warmUp(client.flood({ asked: request, window: 16 }), { calls: warmUpCalls, seconds: 3 })
    live.push({ name: side.name, client, idle, asked })
  }
  const turn = ({ client }, { request }, window) =>
    measure(client.flood({ asked: request, window }), { pid: client.pid, seconds })
  for (let cycle = 0; cycle < cycles; cycle++)
    for (const at of live[0].asked.keys())
      for (const window of windows)
        for (const side of live)
          side.asked[at].turns.get(window).push(await turn(side, side.asked[at], window))
  const rows = live.map(({ name, client, idle, asked }) => ({
    name,
    idle,
    used: readMemory(client.pid),
    asked: Object.fromEntries(asked.map(({ name: what, turns }) => [what, summary(turns)])),
  }))
  for (const { client } of live) await client.close()
  return rows
}

function summary(turns) {
  const [one, many] = [turns.get(1), turns.get(16)]
  const ratesOf = (list) => list.map(({ rate }) => rate)
  return {
    p50: median(one.map(({ p50 }) => p50)),
    rates: ratesOf(many),
    ratesAt: new Map([...turns].map(([window, list]) => [window, ratesOf(list)])),
    /** Microseconds of the server's for each call. */
    cpu: median(many.map(({ cpu }) => cpu)) * 10,
    /** How much of a core whoever asks has used. */
    generator: median(many.map(({ generator }) => generator)),
    failed: [...turns.values()].flat().reduce((sum, { failed }) => sum + failed, 0),
  }
}
