import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { HeldBodies } from './held-bodies.ts'

const MIB = 1024 * 1024

it('has room for so much of all bodies together, until their answers are over', async () => {
  const bodies = new HeldBodies()
  const [one, two] = [answer(), answer()]
  const [first, second] = [bodies.roomFor(one), bodies.roomFor(two)]
  expect([first(200 * MIB), second(50 * MIB), second(50 * MIB)]).toEqual([true, true, false])
  one.destroy()
  await new Promise((resolve) => one.once('close', resolve))
  expect([first(1), second(200 * MIB), second(50 * MIB)]).toEqual([false, true, false])
})

function answer(): ServerResponse {
  const socket = new Socket()
  const response = new ServerResponse(new IncomingMessage(socket))
  response.assignSocket(socket)
  return response
}
