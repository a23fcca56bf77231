import { afterEach, describe, expect, it, vi } from 'vitest'
import { kernelCall } from '../../../test/setup/kernel.ts'
import { receive } from '../../../test/setup/receive.ts'
import { introduction, type Talk, talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { createTestClient, type TestClientOptions } from '../../client/test-client.ts'
import { connectMemory } from '../../transports/memory/index.ts'
import type { ToolDefinition } from '../definitions/tool.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { parse } from '../jsonrpc/parse.ts'
import type { Validator } from '../ports/validator.ts'
import { wrongAnswer } from './answers.ts'
import { askOnBehalf } from './index.ts'
import { elicit, elicitUrl, listRoots, type Needs, needs, sample } from './needs.ts'

type Told = {
  readonly call: { readonly answers: JsonObject; readonly state: unknown }
  readonly runs: number
}

const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const askName = elicit({ message: 'Who?', schema: NAME })

/** A tool that asks twice, the second time with what it has learnt. */
const twice = tool('twice', (_args, call) => {
  const { first, second } = call.answers as Record<string, { content: { name: string } } | undefined>
  if (first === undefined) return needs({ first: askName }, { state: { step: 1 } })
  if (second === undefined) return needs({ second: askName }, { state: { step: 2 } })
  return `${first.content.name} and ${second.content.name}, ${JSON.stringify(call.state)}`
})

const tools = [
  twice,
  tool('forever', () => needs({ name: askName })),
  tool('rounds', (args, { answers }) => {
    const { length } = Object.keys(answers)
    return length < Number(args['count']) ? needs({ [`name ${length}`]: askName }) : `${length} rounds`
  }),
  tool('both', (_args, { answers }) =>
    Object.keys(answers).length === 0
      ? needs({ a: askName, b: listRoots(), c: sample({ messages: [], maxTokens: 5 }) })
      : JSON.stringify(answers),
  ),
  tool('page', (_args, { answers }) =>
    answers['page'] === undefined
      ? needs({ page: elicitUrl({ message: 'Go', url: 'https://example.org' }) })
      : 'went',
  ),
  tool('later', async (_args, { answers }) => {
    await new Promise(setImmediate)
    return answers['name'] === undefined ? needs({ name: askName }) : JSON.stringify(answers['name'])
  }),
  tool('choose', (_args, { answers }) =>
    answers['colour'] === undefined
      ? needs({
          colour: elicit({
            message: 'Which?',
            schema: {
              type: 'object',
              properties: {
                colour: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] },
                why: { type: 'string' },
              },
            },
          }),
        })
      : 'chosen',
  ),
  tool('choose_many', () =>
    needs({
      many: elicit({
        message: 'Which?',
        schema: {
          type: 'object',
          properties: { c: { type: 'array', items: { type: 'string', enum: ['a'] } } },
        },
      }),
    }),
  ),
  tool('think', (_args, { answers }) =>
    answers['thought'] === undefined
      ? needs({
          thought: sample({
            messages: [
              {
                role: 'user',
                content: [
                  { type: 'text', text: 'a' },
                  { type: 'text', text: 'b' },
                ],
              },
            ],
            maxTokens: 5,
            tools: [],
          }),
        })
      : 'thought',
  ),
]

function tool(
  name: string,
  run: (args: JsonObject, call: Told['call']) => string | Needs | Promise<string | Needs>,
): ToolDefinition {
  return { name, input: { type: 'object' }, run }
}

const ALL = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }
const server = () => defineServer({ name: 's', version: '1', tools, secrets: ['k'], answerTimeoutMs: 5000 })

const open: Talk[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

function begin(...given: Parameters<typeof talk>): Talk {
  const opened = talk(...given)
  open.push(opened)
  return opened
}

const textOf = ({ result }: JsonObject) =>
  (result as { content: readonly { text: string }[] }).content[0]?.text

describe('by input-required results', () => {
  const call = (to: Talk, params: JsonObject, capabilities: JsonObject = ALL) =>
    to.ask('tools/call', { arguments: {}, ...params, _meta: introduction(capabilities) })
  const accept = (name: unknown) => ({ action: 'accept', content: { name } })
  const stateOf = ({ result }: JsonObject) => (result as JsonObject)['requestState']

  it('looks only at answers to what was asked, however many are given', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, key) => [`q${key}`, accept('x')]))
    const looked = vi.spyOn(Object, 'hasOwn')
    const to = begin(server())
    const inputResponses = { ...many, first: accept('Ann') }
    expect(await call(to, { name: 'twice', inputResponses })).toMatchObject({
      result: { inputRequests: { second: askName } },
    })
    expect(looked.mock.calls.filter(([, key]) => String(key) in many).length).toBeLessThan(1000)
    looked.mockRestore()
  })

  it('answers add up over the rounds, and the state is that of the last', async () => {
    const to = begin(server())
    const first = await call(to, { name: 'twice' })
    expect(first['result']).toMatchObject({ resultType: 'input_required', inputRequests: { first: askName } })
    const second = await call(to, {
      name: 'twice',
      requestState: stateOf(first),
      inputResponses: { first: accept('Ann') },
    })
    expect(second['result']).toMatchObject({ inputRequests: { second: askName } })
    const third = await call(to, {
      name: 'twice',
      requestState: stateOf(second),
      inputResponses: { second: accept('Bob') },
    })
    expect(textOf(third)).toBe('Ann and Bob, {"step":2}')
  })

  it('asks again for what was left unanswered, and ignores what was not asked', async () => {
    const to = begin(server())
    const requestState = stateOf(await call(to, { name: 'twice' }))
    const again = await call(to, {
      name: 'twice',
      requestState,
      inputResponses: { other: accept('x'), __proto__: {} },
    })
    expect(again['result']).toMatchObject({ inputRequests: { first: askName } })
    const none = await call(to, { name: 'twice', requestState })
    expect(none['result']).toMatchObject({ inputRequests: { first: askName } })
  })

  it('works from another server with the same secret', async () => {
    const requestState = stateOf(await call(begin(server()), { name: 'later' }))
    const reply = await call(begin(server()), {
      name: 'later',
      requestState,
      inputResponses: { name: accept('Ann') },
    })
    expect(textOf(reply)).toContain('Ann')
  })

  it('takes keys of the arguments in any order, and no other arguments, tool, method or caller', async () => {
    const to = begin(server())
    const requestState = stateOf(await call(to, { name: 'twice', arguments: { a: 1, b: { c: 1, d: 2 } } }))
    const inputResponses = { first: accept('Ann') }
    const again = (params: JsonObject) => call(to, { requestState, inputResponses, ...params })
    expect((await again({ name: 'twice', arguments: { b: { d: 2, c: 1 }, a: 1 } }))['result']).toBeDefined()
    for (const params of [
      { name: 'twice', arguments: { a: 2, b: { c: 1, d: 2 } } },
      { name: 'twice', arguments: {} },
      { name: 'later', arguments: { a: 1, b: { c: 1, d: 2 } } },
    ]) {
      expect((await again(params))['error']).toMatchObject({
        code: -32602,
        message: expect.stringContaining('requestState'),
      })
    }
  })

  it('is bound to the principal', async () => {
    const shared = server()
    const as = async (id: string, params: JsonObject) => {
      const link = shared.open({ outlet: { send: () => {} }, principal: { id } })
      const request = parse(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))
      return (await receive(link, request)) as unknown as JsonObject
    }
    const params = { name: 'later', arguments: {}, _meta: introduction(ALL) }
    const requestState = stateOf(await as('ann', params))
    const answered = { ...params, requestState, inputResponses: { name: accept('x') } }
    expect(await as('bob', answered)).toMatchObject({ error: { code: -32602 } })
    expect(await as('ann', answered)).toMatchObject({ result: { isError: false } })
  })

  it('is bound to the method', async () => {
    const render = (_args: unknown, { answers }: Told['call']) =>
      answers['name'] === undefined ? needs({ name: askName }) : 'rendered'
    const both = defineServer({
      name: 's',
      version: '1',
      tools: [{ name: 'both', input: { type: 'object' }, run: render }],
      prompts: [{ name: 'both', render }],
    })
    const to = begin(both)
    const params = { name: 'both', arguments: {}, _meta: introduction(ALL) }
    const requestState = stateOf(await to.ask('tools/call', params))
    const again = { ...params, requestState, inputResponses: { name: accept('x') } }
    expect(await to.ask('prompts/get', again)).toMatchObject({
      error: { code: -32602, message: 'Invalid requestState: it was not issued for this request' },
    })
    expect(await to.ask('tools/call', again)).toMatchObject({ result: { isError: false } })
  })

  it('tells a number that is too large from none at all', async () => {
    const shared = server()
    const ask = async (number: string, more: JsonObject = {}) => {
      const params = { name: 'later', ...more, _meta: introduction(ALL), arguments: { n: 'NUMBER' } }
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      const link = shared.open({ outlet: { send: () => {} } })
      const reply = await receive(link, parse(text.replace('"NUMBER"', number)))
      return reply as unknown as JsonObject
    }
    const requestState = stateOf(await ask('1e400'))
    const more = { requestState, inputResponses: { name: accept('x') } }
    for (const other of ['null', '-1e400', '"Infinity"'])
      expect(await ask(other, more)).toMatchObject({ error: { code: -32602 } })
    expect(await ask('1e401', more)).toMatchObject({ result: { isError: false } })
  })

  it('expires', async () => {
    const brief = defineServer({ name: 's', version: '1', tools, stateTtlMs: 0 })
    const to = begin(brief)
    const requestState = stateOf(await call(to, { name: 'twice' }))
    const reply = await call(to, { name: 'twice', requestState, inputResponses: { first: accept('Ann') } })
    expect(reply['error']).toMatchObject({ code: -32602, message: 'Invalid requestState: it has expired' })
  })

  it.each([
    ['a state of a wrong type', { requestState: 5 }],
    ['a state that is made up', { requestState: 'AAAA' }],
    ['answers that are no object', { inputResponses: [] }],
  ])('refuses %s', async (_name, params) => {
    const reply = await call(begin(server()), { name: 'twice', ...params })
    expect(reply['error']).toMatchObject({ code: -32602 })
  })

  it.each([
    ['no object', 5, 'expected an object, got the number 5'],
    [
      'an unknown action',
      { action: 'maybe' },
      'action: expected one of accept, decline, cancel, got the string "maybe"',
    ],
    [
      'content that does not fit',
      { action: 'accept', content: { name: 5 } },
      'name: expected a string, got the number 5',
    ],
    ['no content', { action: 'accept' }, 'name: expected a string, got nothing (it is required)'],
  ])('refuses an answer that is %s', async (_name, answer, message) => {
    const to = begin(server())
    const requestState = stateOf(await call(to, { name: 'twice' }))
    const reply = await call(to, { name: 'twice', requestState, inputResponses: { first: answer } })
    expect(reply['error']).toMatchObject({
      code: -32602,
      message: `Invalid params: inputResponses.first: ${message}`,
    })
  })

  it('takes a refusal of the user for an answer', async () => {
    const to = begin(server())
    const requestState = stateOf(await call(to, { name: 'later' }))
    const reply = await call(to, {
      name: 'later',
      requestState,
      inputResponses: { name: { action: 'decline' } },
    })
    expect(textOf(reply)).toBe('{"action":"decline"}')
  })

  it('refuses answers of the wrong kind to a model and about roots', async () => {
    const to = begin(server())
    const requestState = stateOf(await call(to, { name: 'both' }))
    const again = (inputResponses: JsonObject) => call(to, { name: 'both', requestState, inputResponses })
    expect((await again({ b: { roots: 5 } }))['error']).toMatchObject({
      message: expect.stringContaining('roots: expected an array'),
    })
    expect((await again({ c: { role: 'dog' } }))['error']).toMatchObject({
      message: expect.stringContaining('role: expected user'),
    })
    expect((await again({ c: { role: 'user' } }))['error']).toMatchObject({
      message: expect.stringContaining('content: expected'),
    })
    expect((await again({ b: { roots: [] }, c: { role: 'user', content: {} } }))['result']).toBeDefined()
  })

  it.each([
    ['an object for a text', accept({ evil: true }), 'name: expected'],
    ['no form', { action: 'accept' }, 'name'],
    ['another action', { action: 'do' }, 'action: expected one of'],
  ])('checks answers that come without a state by what is asked: %s', async (_what, answer, message) => {
    for (const name of ['later', 'twice']) {
      const key = name === 'later' ? 'name' : 'first'
      const reply = await call(begin(server()), { name, inputResponses: { [key]: answer } })
      expect(reply['error']).toMatchObject({ code: -32602, message: expect.stringContaining(message) })
    }
  })

  it('takes answers that come without a state when they are asked for, round by round', async () => {
    const inputResponses = { first: accept('Ann'), second: accept('Bob'), third: 5 }
    const all = await call(begin(server()), { name: 'twice', inputResponses })
    expect(textOf(all)).toBe('Ann and Bob, {"step":2}')
    const some = await call(begin(server()), { name: 'twice', inputResponses: { first: accept('Ann') } })
    expect(some['result']).toMatchObject({ resultType: 'input_required', inputRequests: { second: {} } })
    const forever = await call(begin(server()), { name: 'forever', inputResponses: { name: accept('Ann') } })
    expect(forever['result']).toMatchObject({ resultType: 'input_required' })
  })

  it.each([
    [20, '20 rounds'],
    [21, 'name 20'],
  ])('takes answers that come without a state for twenty rounds: %d', async (count, expected) => {
    const answers = Array.from({ length: count }, (_, round) => [`name ${round}`, accept('Ann')])
    const inputResponses = Object.fromEntries(answers)
    const reply = await call(begin(server()), { name: 'rounds', arguments: { count }, inputResponses })
    const { inputRequests } = reply['result'] as { readonly inputRequests?: object } // Another one where it still asks.
    expect(inputRequests === undefined ? textOf(reply) : Object.keys(inputRequests).join()).toBe(expected)
  })

  it('takes answers that come without a state as they are', async () => {
    const reply = await call(begin(server()), {
      name: 'later',
      inputResponses: { name: { action: 'cancel' } },
    })
    expect(textOf(reply)).toBe('{"action":"cancel"}')
    const wrong = await call(begin(server()), { name: 'later', inputResponses: { name: 5 } })
    expect(wrong['error']).toMatchObject({ code: -32602 })
  })

  it('names all capabilities that the client lacks', async () => {
    const reply = await call(begin(server()), { name: 'both' }, {})
    expect(reply['error']).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} }, roots: {}, sampling: {} } },
    })
  })
})

describe('by requests', () => {
  it.each([{ requestState: 'x' }, { inputResponses: {} }])(
    'takes %j of a client for nothing in a revision that has no such thing',
    async (more) => {
      const plain = defineServer({ name: 's', version: '1', tools: [{ name: 'plain', run: () => 'plain' }] })
      const to = begin(plain, '2025-11-25')
      const params = { name: 'plain', arguments: {}, ...more }
      expect(textOf(await to.ask('tools/call', params))).toBe('plain')
    },
  )

  const CAPABLE = { elicitation: {}, sampling: {}, roots: {} }

  /** Answers questions as they come, with what `answers` gives for their method. */
  function answering(
    version: string,
    answers: { [method: string]: unknown },
    capabilities: JsonObject = CAPABLE,
  ) {
    const asked: JsonObject[] = []
    const heard: JsonObject[] = []
    const end = connectMemory(server(), (message) => {
      heard.push(message)
      const { id, method } = message
      if (typeof method !== 'string' || id === undefined) return
      asked.push(message)
      const answer = answers[method]
      queueMicrotask(() => end.send({ jsonrpc: '2.0', id, ...(answer as JsonObject) }))
    })
    const params = { protocolVersion: version, capabilities, clientInfo: { name: 'c', version: '1' } }
    end.send({ jsonrpc: '2.0', id: 'open', method: 'initialize', params })
    end.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return {
      asked,
      async call(name: string) {
        end.send({ jsonrpc: '2.0', id: name, method: 'tools/call', params: { name, arguments: {} } })
        for (;;) {
          const reply = heard.find((one) => one['id'] === name)
          if (reply !== undefined) return reply
          await new Promise(setImmediate)
        }
      },
    }
  }

  const accepted = { result: { action: 'accept', content: { name: 'Ann' } } }

  it('runs the function again until it needs nothing more', async () => {
    const client = answering('2025-06-18', { 'elicitation/create': accepted })
    expect(textOf(await client.call('twice'))).toBe('Ann and Ann, {"step":2}')
    expect(client.asked).toHaveLength(2)
    expect(client.asked[0]?.['params']).toEqual({ message: 'Who?', requestedSchema: NAME })
  })

  it('stops a function that never stops asking', async () => {
    const client = answering('2025-06-18', { 'elicitation/create': accepted })
    expect(textOf(await client.call('forever'))).toBe('Still asking after 20 rounds')
    expect(client.asked).toHaveLength(20)
  })

  it('asks everything of one round at once', async () => {
    const client = answering('2025-06-18', {
      'elicitation/create': accepted,
      'roots/list': { result: { roots: [] } },
      'sampling/createMessage': { result: { role: 'assistant', content: {}, model: 'm' } },
    })
    expect(JSON.parse(textOf(await client.call('both')) ?? '')).toMatchObject({ b: { roots: [] } })
  })

  it.each([
    ['an error', { error: { code: -1, message: 'No, thanks' } }, 'No, thanks'],
    ['neither a result nor an error', { result: 5 }, 'The client gave neither a result nor an error'],
    [
      'an answer that does not fit',
      { result: { action: 'accept', content: {} } },
      'is not valid: name: expected a string',
    ],
  ])('tells the model of %s', async (_name, answer, message) => {
    const client = answering('2025-06-18', { 'elicitation/create': answer })
    const reply = await client.call('later')
    expect(reply['result']).toMatchObject({ isError: true })
    expect(textOf(reply)).toContain(message)
  })

  it('gives a page to open an id where the revision has one', async () => {
    const client = answering('2025-11-25', { 'elicitation/create': { result: { action: 'accept' } } }, ALL)
    expect(textOf(await client.call('page'))).toBe('went')
    expect(client.asked[0]?.['params']).toMatchObject({
      mode: 'url',
      url: 'https://example.org',
      elicitationId: expect.any(String),
    })
  })

  it('says which capability is missing, also when the revision cannot have it', async () => {
    expect(await answering('2025-11-25', {}, { elicitation: { form: {} } }).call('page')).toMatchObject({
      error: { code: -32602, data: { requiredCapabilities: { elicitation: { url: {} } } } },
    })
    expect(await answering('2025-06-18', {}, ALL).call('page')).toMatchObject({ error: { code: -32602 } })
    expect(await answering('2024-11-05', {}, ALL).call('later')).toMatchObject({ error: { code: -32602 } })
    expect(await answering('2025-06-18', {}, { elicitation: { url: {} } }).call('later')).toMatchObject({
      error: { data: { requiredCapabilities: { elicitation: { form: {} } } } },
    })
  })

  const SINCE = 'which MCP has since 2025-11-25, while this client speaks 2025-06-18: a newer one is needed'
  it.each([
    ['choose_many', '2025-06-18', ALL, `to let its user choose several from a list, ${SINCE}`],
    ['choose_many', '2025-06-18', {}, `to let its user choose several from a list, ${SINCE}`],
    ['page', '2025-06-18', ALL, `to have its user open a page, ${SINCE}`],
    [
      'later',
      '2024-11-05',
      ALL,
      'to ask its user by a form, which MCP has since 2025-06-18, while this client speaks 2024-11-05: a newer one is needed',
    ],
    [
      'choose_many',
      '2025-11-25',
      {},
      'to let its user choose several from a list, which this client does not offer (elicitation.form): allow it there, or use another',
    ],
    [
      'both',
      '2025-11-25',
      { elicitation: {} },
      'to say which folders it has open, which this client does not offer (roots): allow it there, or use another; to let its model answer, which this client does not offer (sampling): allow it there, or use another',
    ],
  ])('says why %s cannot be asked of a client that speaks %s', async (name, revision, capabilities, why) => {
    const { error } = (await answering(revision, {}, capabilities).call(name)) as { error: JsonObject }
    expect(error['message']).toBe(`The client lacks a capability this needs: ${why}`)
  })

  it('asks for no capability that the client has', async () => {
    const { error } = (await answering('2025-06-18', {}, ALL).call('choose_many')) as { error: JsonObject }
    expect(error).not.toHaveProperty('data')
  })

  it('puts choices in older words, and does not ask what has none', async () => {
    const chosen = { 'elicitation/create': { result: { action: 'decline' } } }
    const old = answering('2025-06-18', chosen)
    expect(textOf(await old.call('choose'))).toBe('chosen')
    expect(old.asked[0]?.['params']).toMatchObject({
      requestedSchema: {
        properties: { colour: { type: 'string', enum: ['r'], enumNames: ['Red'] }, why: { type: 'string' } },
      },
    })
    expect(await old.call('choose_many')).toMatchObject({ error: { code: -32602 } })
    const newer = answering('2025-11-25', chosen)
    await newer.call('choose')
    expect(newer.asked[0]?.['params']).toMatchObject({
      mode: 'form',
      requestedSchema: { properties: { colour: { oneOf: [{ const: 'r', title: 'Red' }] } } },
    })
  })

  it('splits what is said to a model where a message has one block', async () => {
    const answers = { 'sampling/createMessage': { result: { role: 'assistant', content: {}, model: 'm' } } }
    const client = answering('2025-06-18', answers, ALL)
    expect(textOf(await client.call('think'))).toBe('thought')
    expect(client.asked[0]?.['params']).toMatchObject({
      messages: [{ content: { text: 'a' } }, { content: { text: 'b' } }],
    })
  })
})

const refusing = {
  'elicitation/create': () => {
    throw new Error('No, thanks')
  },
}

it('whoever is told that no answer came is told what has been done already', async () => {
  const half = { name: 'half', run: () => needs({ name: askName }, { done: 'Half of it is done.' }) }
  const client = await createTestClient(defineServer({ name: 's', version: '1', tools: [half] }), {
    revision: '2025-11-25',
    answers: refusing,
  })
  const [block] = (await client.callTool('half')).content
  expect(block).toMatchObject({ text: expect.stringMatching(/.\nHalf of it is done\.$/) })
})

it.each(['2025-11-25', '2026-07-28'])(
  'nobody is asked with a form whose answers could not be checked (%s)',
  async (revision) => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }
    const asking = tool('asking', () => needs({ code: elicit({ message: 'Which?', schema }) }))
    const told: string[] = []
    const observe = (event: object) => void told.push('error' in event ? String(event.error) : '')
    const asks = defineServer({ name: 's', version: '1', tools: [asking], observe })
    let asked = 0
    const client = await createTestClient(asks, {
      revision,
      answers: { 'elicitation/create': () => ({ action: 'accept', content: { a: `${asked++}` } }) },
    })
    expect(await client.callTool('asking', {})).toMatchObject({ isError: true })
    expect(asked).toBe(0)
    expect(told.join()).toContain(
      'elicit: the schema of "code": at /properties/a/pattern: expected a regular expression',
    )
  },
)

it('nobody is asked for a call while calls under way take more than they may', async () => {
  const full = defineServer({ name: 's', version: '1', tools, budgets: { maxUnderwayBytes: 10 } })
  let asked = 0
  const answers = { 'elicitation/create': () => ({ action: asked++ === 0 ? 'decline' : 'cancel' }) }
  const client = await createTestClient(full, { revision: '2025-11-25', answers })
  await expect(client.callTool('later')).rejects.toMatchObject({ code: 429 })
  expect(asked).toBe(0)
})

describe('on behalf of another server', () => {
  const stop = new AbortController()
  const links: { readonly busy: number }[] = []
  const relay: ToolDefinition = {
    name: 'relay',
    run: async (_args, call) => {
      const { link } = kernelCall(call)
      links.push(link)
      const answer = await askOnBehalf(askName, kernelCall(call), stop.signal)
      return JSON.stringify([answer, link.busy])
    },
  }
  const connect = (more: TestClientOptions) =>
    createTestClient(defineServer({ name: 's', version: '1', tools: [relay] }), {
      revision: '2025-06-18',
      ...more,
    })

  it('the answer is that server’s to judge, and the call is not at work until it comes', async () => {
    const seen: unknown[] = []
    const client = await connect({
      answers: {
        'elicitation/create': (params) => {
          seen.push(params, links.at(-1)?.busy)
          return { action: 'dance' }
        },
      },
    })
    const [block] = (await client.callTool('relay')).content
    expect(block).toMatchObject({ text: '[{"action":"dance"},1]' })
    expect(seen).toEqual([{ message: 'Who?', requestedSchema: NAME }, 0])
  })

  it('a form that does not say that it is one is one', async () => {
    const { mode: _form, ...params } = askName.params as JsonObject
    const plain = {
      ...relay,
      run: async (_args: unknown, call: Parameters<typeof relay.run>[1]) =>
        JSON.stringify(
          await askOnBehalf({ method: 'elicitation/create', params }, kernelCall(call), call.signal),
        ),
    }
    const client = await createTestClient(defineServer({ name: 's', version: '1', tools: [plain] }), {
      revision: '2025-06-18',
      answers: { 'elicitation/create': () => ({ action: 'decline' }) },
    })
    expect(await client.callTool('relay')).toMatchObject({ content: [{ text: '{"action":"decline"}' }] })
  })

  it('a client that cannot be asked, or will not answer, is told of', async () => {
    await expect((await connect({})).callTool('relay')).rejects.toThrow('The client lacks a capability')
    const client = await connect({ answers: refusing })
    expect(await client.callTool('relay')).toMatchObject({ isError: true })
    expect(links.at(-1)?.busy).toBe(0)
  })

  it('a question is withdrawn when that server does not wait for its answer any more', async () => {
    const client = await connect({ answers: { 'elicitation/create': () => new Promise(() => {}) } })
    const called = client.callTool('relay')
    await expect.poll(() => links.at(-1)?.busy).toBe(0)
    stop.abort()
    expect(await called).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('cancelled') }],
    })
  })
})

it('an answer is waited for to be checked where a validator takes its time', async () => {
  const read = async () => ({ problems: [{ path: ['name'], message: 'expected better' }] })
  const validator = { shape: () => ({ read }) } as unknown as Validator // All that is asked of it here.
  expect(await wrongAnswer({ action: 'accept', content: { name: 1 } }, askName, validator)).toContain(
    'expected better',
  )
})
