import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { endUnsent, whenBroken } from './broken.ts'

/** An answer that has no socket, as it has to wait for another one; and how often it is said to be broken off. */
function createUnsent() {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  let broken = 0
  const watch = () => whenBroken(response, () => void broken++)
  watch()
  return { response, watch, broken: () => broken }
}

const turn = () => new Promise(setImmediate)

it('an answer that never had its turn is broken off once, also for who asks later', async () => {
  const { response, watch, broken } = createUnsent()
  endUnsent(response)
  expect(broken()).toBe(0)
  await turn()
  expect([response.destroyed, broken()]).toEqual([true, 1])
  watch()
  await turn()
  expect(broken()).toBe(2)
})

it('an answer that is on its way is left alone', async () => {
  const { response, broken } = createUnsent()
  response.assignSocket(new Socket())
  endUnsent(response)
  await turn()
  expect([response.destroyed, broken()]).toEqual([false, 0])
})
