import { expect, it } from 'vitest'
import type { ConsoleEvent, ConsoleState } from '../../src/console/events.ts'
import { TwoNodes } from '../nodes/two-nodes.ts'

const KEY = 'a-key-for-the-console-0123456789'

const INTRODUCTION = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'guest', version: '1' } },
}

/** Reads what the console says of nodes until it is as wanted. */
async function readNodes(url: URL, enough: (nodes: ConsoleState['nodes']) => boolean) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${KEY}` } })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; ; ) {
    const { value = '', done } = (await reader?.read()) ?? { done: true }
    if (done) throw new Error(`the stream has ended: ${text}`)
    const blocks = (text + value).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = JSON.parse(block.replace(/^(?:id: \d+\n)?data: /, '')) as ConsoleEvent
      if (event.type !== 'state' || !enough(event.nodes)) continue
      await reader?.cancel()
      return event.nodes
    }
  }
}

it('shows all nodes that share a store, how they are, and that one has left', async () => {
  await using two = await TwoNodes.start({ console: { key: KEY } })
  await two.b.send({ body: INTRODUCTION })
  const events = new URL('/console/events', two.a.http.url)
  const both = await readNodes(events, (nodes) => nodes.length === 2)
  expect(both.map(({ self }) => self)).toEqual([true, false])
  expect(both[1]).toMatchObject({ calls: 0, sessions: 1, since: expect.any(Number) })
  expect(both[0]?.id).not.toBe(both[1]?.id)
  await two.b[Symbol.asyncDispose]()
  const left = await readNodes(events, (nodes) => nodes.length === 1)
  expect(left[0]?.id).toBe(both[0]?.id)
})
