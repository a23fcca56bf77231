import { expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { connect } from '../../src/client/index.ts'
import { clientOf, endAfterEach, ending, gatewayTo } from './gateway-of.ts'

endAfterEach()

/** A call through a gateway that its client has called off, and what the server behind it was told. */
async function callOff(params: object): Promise<readonly unknown[]> {
  const [began, told]: [unknown[], unknown[]] = [[], []]
  const server = defineServer({
    name: 'slow',
    version: '1',
    tools: [
      {
        name: 'wait',
        run: (_args, call) =>
          new Promise<string>(() => {
            call.whenCancelled((reason) => told.push(reason))
            began.push(call)
          }),
      },
    ],
  })
  const gateway = gatewayTo({ slow: { server } })
  await clientOf(gateway)
  const client = await connect(gateway, { revision: '2025-11-25' })
  ending.push(() => client.close())
  client.callTool('wait').catch(() => {})
  await vi.waitFor(() => expect(began).toHaveLength(1))
  for (let requestId = 1; requestId < 10; requestId++)
    await client.notify('notifications/cancelled', { requestId, ...params })
  await vi.waitFor(() => expect(told).toHaveLength(1))
  return told
}

it('a server behind a gateway is told why a client has called something off, as that has said it', async () => {
  expect(await callOff({ reason: 'Ann has left\nfor today' })).toEqual(['Ann has left\nfor today'])
})

it('a reason that is too long is cut, and what is none is left out', async () => {
  expect(await callOff({ reason: 'x'.repeat(10_000) })).toEqual(['x'.repeat(500)])
  expect(await callOff({ reason: { more: 1 } })).toEqual(['The client gave up'])
  expect(await callOff({})).toEqual(['The client gave up'])
})
