import { expect, it } from 'vitest'
import { talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { Fault } from '../faults.ts'
import type { Call } from './call.ts'
import { type Middleware, type Outcome, watch } from './middleware.ts'

it('goes through middleware from the first to the last and back', async () => {
  const order: string[] = []
  const layer =
    (name: string): Middleware =>
    (call, next) => {
      order.push(`${name} in`)
      const result = next(call)
      order.push(`${name} out`)
      return result
    }
  const server = defineServer({
    name: 's',
    version: '1',
    middleware: [layer('own')],
    modules: [
      { name: 'a', wraps: 'server', middleware: [layer('a1'), layer('a2')] },
      { name: 'b', wraps: 'server', middleware: [layer('b')] },
    ],
  })
  await talk(server).ask('ping')
  expect(order).toEqual(['own in', 'a1 in', 'a2 in', 'b in', 'b out', 'a2 out', 'a1 out', 'own out'])
})

it('may be answered by a middleware, or refused by it', async () => {
  const guard: Middleware = (call, next) => {
    if (call.method === 'ping') return { pong: true }
    if (call.method === 'tools/list') throw new Fault('invalidRequest', 'Not today')
    return next(call)
  }
  const tools = [{ name: 't', run: () => '' }]
  const to = talk(defineServer({ name: 's', version: '1', middleware: [guard], tools }), '2025-11-25')
  expect(await to.ask('ping')).toMatchObject({ result: { pong: true } })
  expect(await to.ask('tools/list')).toMatchObject({ error: { code: -32600, message: 'Not today' } })
})

it('is watched whether it comes out at once or later, well or badly', async () => {
  const outcomes: Outcome[] = []
  const observe = (next: () => never) => {
    try {
      return watch({} as Call, next, (outcome) => outcomes.push(outcome))
    } catch (error) {
      return error
    }
  }
  const error = new Error('no')
  observe((() => ({ a: 1 })) as never)
  await observe((() => Promise.resolve({ a: 2 })) as never)
  expect(
    observe(() => {
      throw error
    }),
  ).toBe(error)
  await expect(observe((() => Promise.reject(error)) as never)).rejects.toBe(error)
  expect(outcomes).toEqual([{ result: { a: 1 } }, { result: { a: 2 } }, { error }, { error }])
})
