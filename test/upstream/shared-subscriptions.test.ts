import { expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { connect } from '../../src/client/index.ts'
import { createNodeHandler } from '../../src/index.ts'
import { endAfterEach, ending, gatewayTo, listen, lookedAt } from './gateway-of.ts'

endAfterEach()

const CUP = 'left://cup'

it.each<[what: string, forwarded: object]>([
  ['no headers', {}],
  ['headers of each', { forwardHeaders: ['x-user'] }],
])('one session tells whoever still subscribes, with %s', async (_what, forwarded) => {
  const behind = defineServer({
    name: 'left',
    version: '1',
    resources: [{ uri: CUP, name: 'cup', subscribable: true, read: () => 'full' }],
  })
  const url = await listen(createNodeHandler(behind, { allowAnonymous: true }))
  const gateway = gatewayTo({ left: { url, revision: '2025-11-25', shared: true, ...forwarded } })
  await gateway.start()
  await lookedAt(gateway)
  const front = await listen(createNodeHandler(gateway, { allowAnonymous: true }))
  const told: string[] = []
  const subscribe = async (name: string) => {
    const client = await connect(front, { revision: '2025-11-25', headers: { 'x-user': name } })
    ending.push(() => client.close())
    return client.subscribe(CUP, () => told.push(name))
  }
  const [alices] = [await subscribe('alice'), await subscribe('bob')]
  behind.updated(CUP)
  await expect.poll(() => told.toSorted()).toEqual(['alice', 'bob'])
  await alices.close()
  behind.updated(CUP)
  await expect.poll(() => told.toSorted()).toEqual(['alice', 'bob', 'bob'])
})
