import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Id, JsonObject } from '../../kernel/index.ts'
import { type Speaker, textOf } from './speaker.ts'
import { listen } from './telling.ts'
import type { TransportTest } from './transport-test.ts'

const NOTHING = { functions: 0, calls: 0, listeners: 0, bytes: 0 }

/** Calls and conversations that end before they are done. */
export const ENDING: readonly TransportTest[] = [
  {
    name: 'a call that is cancelled stops, is not answered, and disturbs no other',
    needs: 'cancelling',
    async run({ speaker }) {
      await speaker.open()
      const [given, other] = [await speaker.wait(), await speaker.wait()]
      await speaker.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: given } })
      await speaker.eventually(async () => equal((await speaker.count()).functions, 1))
      equal(textOf(await speaker.call('echo', { text: 'still here' })), 'still here')
      equal(hasAnswer(speaker, given), false)
      equal(hasAnswer(speaker, other), false)
    },
  },
  {
    name: 'nothing is kept for a client that leaves in the middle',
    async run({ speaker }) {
      await speaker.open()
      await busy(speaker)
      await speaker.end.leave()
      await speaker.eventually(async () => deepEqual(await speaker.kept(), NOTHING))
    },
  },
  {
    name: 'it can be closed while calls run, and the client hears of it',
    async run({ speaker, ends }) {
      await speaker.open()
      const id = await speaker.wait()
      await speaker.end.close()
      await speaker.eventually(async () => deepEqual(await speaker.kept(), NOTHING))
      await speaker.eventually(() => ok(ends() > 0 || hasAnswer(speaker, id), 'the client was left to wait'))
    },
  },
]

/** Has calls at work, a question that waits for its answer where there are such, and somebody who listens. */
async function busy(speaker: Speaker): Promise<void> {
  await listen(speaker)
  await speaker.wait()
  await speaker.wait()
  if (speaker.revision.asking === 'request') await speaker.begin('ask', { method: 'roots/list' })
}

function hasAnswer({ heard }: Speaker, id: Id): boolean {
  return heard.some((one: JsonObject) => one['id'] === id && !('method' in one))
}
