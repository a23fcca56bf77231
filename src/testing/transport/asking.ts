import { deepEqual, equal } from 'node:assert/strict'
import { type Id, isObject, type JsonObject } from '../../kernel/index.ts'
import { type Speaker, textOf } from './speaker.ts'
import type { TransportTest } from './transport-test.ts'

const ANSWERS: { readonly [method: string]: JsonObject } = {
  'elicitation/create': { action: 'accept', content: { name: 'Ada' } },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'Thought' }, model: 'small' },
  'roots/list': { roots: [{ uri: 'file:///project' }] },
}

/** Questions of the server's, which reach the client and whose answers reach the call. */
export const ASKING: readonly TransportTest[] = [
  {
    name: 'the client is asked, and its answers reach the call',
    needs: 'questions',
    async run({ speaker }) {
      await speaker.open()
      const methods = Object.keys(ANSWERS).filter((method) => speaker.revision.questions.includes(method))
      for (const method of methods) {
        const id = await speaker.begin('ask', { method })
        const answer = await WAYS[speaker.revision.asking](speaker, id, method)
        deepEqual(JSON.parse(String(textOf(answer))), ANSWERS[method])
      }
    },
  },
  {
    name: 'questions of two calls at once may be answered in any order',
    needs: 'questions',
    applies: ({ asking }) => asking === 'request',
    async run({ speaker }) {
      await speaker.open()
      const [first, second] = await Promise.all([
        speaker.begin('ask', { method: 'sampling/createMessage' }),
        speaker.begin('ask', { method: 'roots/list' }),
      ])
      const asked = await Promise.all(
        ['roots/list', 'sampling/createMessage'].map((method) => questionOf(speaker, method)),
      )
      for (const { id, method } of asked)
        await speaker.send({ jsonrpc: '2.0', id: id as Id, result: ANSWERS[String(method)] ?? {} })
      deepEqual(JSON.parse(String(textOf(await speaker.answerTo(first)))), ANSWERS['sampling/createMessage'])
      deepEqual(JSON.parse(String(textOf(await speaker.answerTo(second)))), ANSWERS['roots/list'])
    },
  },
]

type Way = (speaker: Speaker, id: Id, method: string) => Promise<JsonObject>

/** How a call that asks gets on, by the way its revision asks; gives the call's answer. */
const WAYS: { readonly [way in 'request' | 'retry']: Way } = {
  async request(speaker, id, method) {
    const question = await questionOf(speaker, method)
    await speaker.send({ jsonrpc: '2.0', id: question['id'] as Id, result: ANSWERS[method] ?? {} })
    return speaker.answerTo(id)
  },
  async retry(speaker, id, method) {
    const { result } = await speaker.answerTo(id)
    const { inputRequests, requestState } = isObject(result) ? result : {}
    const [[key, question] = ['', {}]] = Object.entries(isObject(inputRequests) ? inputRequests : {})
    equal(isObject(question) ? question['method'] : undefined, method)
    return speaker.ask('tools/call', {
      name: 'ask',
      arguments: { method },
      inputResponses: { [key]: ANSWERS[method] ?? {} },
      ...(requestState !== undefined && { requestState }),
    })
  },
}

function questionOf(speaker: Speaker, method: string): Promise<JsonObject> {
  return speaker.find(`a question by ${method}`, (one) => one['method'] === method && 'id' in one)
}
