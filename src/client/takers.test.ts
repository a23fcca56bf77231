import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import type { OnBehalf } from './on-behalf.ts'
import { PendingRequests } from './pending.ts'
import { ServerQuestions } from './questions.ts'
import { LeftUnanswered, Takers } from './takers.ts'
import type { Sent } from './wire.ts'

/** Requests for several on one way, who was asked because of them, and what the server was answered. */
function sharing() {
  const [asked, sent]: [string[], Sent[]] = [[], []]
  const waiting = new PendingRequests()
  const send = async (answer: Sent) => void sent.push(answer)
  const questions = new ServerQuestions({ answers: {}, limits: LIMITS, send, warn: () => {} })
  const takers = new Takers(waiting, questions)
  const byId: number[] = []
  const begin = (id: number, whom: string, answer: () => Promise<object> = async () => ({})) => {
    const exchange = {
      whom: () => whom,
      onNotification: () => asked.push(whom),
      onQuestion: () => {
        asked.push(whom)
        byId.push(id)
        return answer()
      },
    } as unknown as OnBehalf // The rest is for sending it.
    const none = { clock: undefined, onProgress: undefined, onNotification: undefined }
    const nothing = () => {}
    const ends = { resolve: nothing, reject: nothing, leave: nothing }
    waiting.add({ id, method: 'tools/call', exchange, ...none, ...ends })
  }
  const ask = (id = 'q') =>
    questions.receive(
      { kind: 'request', id, method: 'roots/list', params: {}, length: 0 },
      takers.ofQuestion(undefined),
    )
  const giveUp = (id: number) => void takers.gaveUp(waiting.settle(id))
  return { asked, byId, sent, waiting, takers, begin, ask, giveUp }
}

const UNCLEAR = [{ error: { message: expect.stringContaining('Several callers share this connection') } }]

it('asks nobody else what somebody was asked whose call was answered meanwhile', async () => {
  const { asked, sent, waiting, begin, ask } = sharing()
  begin(1, 'ann', async () => {
    waiting.settle(1)
    begin(2, 'bob')
    throw new LeftUnanswered()
  })
  await ask()
  expect(asked).toEqual(['ann'])
  expect(sent).toMatchObject(UNCLEAR)
})

it('asks another call of the same caller what one has left unanswered', async () => {
  const { asked, sent, begin, ask, giveUp } = sharing()
  begin(1, 'ann', async () => {
    giveUp(1)
    begin(2, 'ann')
    throw new LeftUnanswered()
  })
  await ask()
  expect(asked).toEqual(['ann', 'ann'])
  expect(sent).toMatchObject([{ result: {} }])
})

it('asks nobody while a call that somebody else gave up may be what asks, and asks again once it is answered', async () => {
  const { asked, sent, takers, begin, ask, giveUp } = sharing()
  begin(1, 'ann')
  giveUp(1)
  begin(2, 'bob')
  await ask()
  expect(sent).toMatchObject(UNCLEAR)
  expect(takers.ofNotice({ method: 'notifications/message', params: {} }, undefined)).toBeUndefined()
  takers.answered('1')
  await ask()
  expect(asked).toEqual(['bob'])
})

it('asks nobody where more calls were given up than are remembered one by one', async () => {
  const { asked, sent, takers, begin, ask, giveUp } = sharing()
  const give = (id: number, whom: string) => {
    begin(id, whom)
    giveUp(id)
  }
  give(1, 'ann')
  for (let id = 2; id < 1500; id++) give(id, 'bob')
  takers.answered(1)
  begin(1500, 'bob')
  await ask()
  expect(asked).toEqual([])
  expect(sent).toMatchObject(UNCLEAR)
  takers.clear()
  await ask()
  expect(asked).toEqual(['bob'])
})

it('asks by one call what is asked at once, where another one waits for an answer already', async () => {
  const { byId, begin, ask } = sharing()
  const never = () => new Promise<object>(() => {})
  begin(1, 'ann', never)
  void ask()
  await new Promise((resolve) => setTimeout(resolve, 2)) // What comes later is not at once any more.
  begin(2, 'ann', never)
  for (const id of ['a', 'b', 'c']) void ask(id)
  await expect.poll(() => byId).toEqual([1, 2, 2, 2])
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

it('keeps a long name once, however many requests of its caller have been given up', () => {
  const { begin, giveUp, takers } = sharing()
  const heap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = heap()
  for (let id = 1; id <= 500; id++) {
    begin(id, JSON.stringify(['n'.repeat(100_000)]))
    giveUp(id)
  }
  expect(heap() - before).toBeLessThan(10_000_000)
  takers.clear()
})
