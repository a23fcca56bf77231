import { deepEqual, equal } from 'node:assert/strict'
import { isObject, type JsonObject } from '../../kernel/index.ts'
import type { Speaker } from './speaker.ts'
import type { TransportTest } from './transport-test.ts'

/** What the server says without being asked for it there and then. */
export const TELLING: readonly TransportTest[] = [
  {
    name: 'nothing overtakes the answer to initialize',
    applies: ({ opening }) => opening === 'handshake',
    async run({ speaker }) {
      const answer = await speaker.open()
      equal(speaker.heard[0], answer)
    },
  },
  {
    name: 'what waited behind the answer to initialize follows',
    needs: 'early',
    applies: ({ opening }) => opening === 'handshake',
    async run({ speaker }) {
      await speaker.open()
      await speaker.eventually(() => deepEqual(speaker.logged, ['welcome']))
    },
  },
  {
    name: 'what a call tells comes before its answer, in its order',
    needs: 'notices',
    async run({ speaker }) {
      await speaker.open()
      const id = await speaker.begin('tell', { times: 20 }, { progressToken: 'token' })
      const answer = await speaker.answerTo(id)
      const before = speaker.heard.slice(0, speaker.heard.indexOf(answer)).map(stepOf)
      const steps = Array.from({ length: 20 }, (_one, index) => index + 1)
      deepEqual(
        before.filter((step) => step !== undefined),
        steps.flatMap((step) => [`logged ${step}`, `progress ${step} of token`]),
      )
    },
  },
  {
    name: 'calls at once tell their progress each by its own token',
    needs: 'notices',
    async run({ speaker }) {
      await speaker.open()
      const tokens = ['a', 'b', 'c']
      const ids = await Promise.all(
        tokens.map((progressToken) => speaker.begin('tell', { times: 3 }, { progressToken })),
      )
      await Promise.all(ids.map((id) => speaker.answerTo(id)))
      const steps = speaker.heard.map(stepOf)
      for (const token of tokens) {
        const own = steps.filter((step) => step?.endsWith(`of ${token}`))
        deepEqual(
          own,
          [1, 2, 3].map((step) => `progress ${step} of ${token}`),
        )
      }
    },
  },
  {
    name: 'changes that belong to no call are told',
    needs: 'changes',
    async run({ speaker }) {
      await speaker.open()
      await listen(speaker)
      await speaker.call('grow')
      await speaker.find('a change', ({ method }) => method === 'notifications/tools/list_changed')
    },
  },
]

/** Without a handshake, whoever wants to hear of changes asks for it. */
export async function listen(speaker: Speaker): Promise<void> {
  if (speaker.revision.opening === 'handshake') return
  await speaker.request('subscriptions/listen', { notifications: { toolsListChanged: true } })
  await speaker.find('an acknowledgement', ({ method }) => String(method).endsWith('/acknowledged'))
}

function stepOf({ method, params }: JsonObject): string | undefined {
  if (!isObject(params)) return undefined
  const { data, progress, progressToken } = params
  if (method === 'notifications/progress') return `progress ${progress} of ${progressToken}`
  return method === 'notifications/message' && typeof data === 'number' ? `logged ${data}` : undefined
}
