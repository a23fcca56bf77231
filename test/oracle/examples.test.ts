import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject, NEWEST, parse } from '../../src/kernel/index.ts'
import { createEverything } from '../everything/everything.ts'
import { officialExamples } from '../everything/official-examples.ts'
import { judge } from './judge.ts'
import { type Heard, Recorder } from './recorder.ts'
import { type Example, findSpec, needSpec, readExamples } from './spec.ts'
import { methods } from './union.ts'

const SPEC = findSpec(NEWEST.id)
const EXAMPLES = readExamples(NEWEST.id)
const HOW_MANY = 129

interface Sendable {
  readonly title: string
  readonly message: JsonObject
}

/** Which requests of a client, by method, a definition is the request or the parameters of. */
const REQUESTS = SPEC === undefined ? new Map<string, string>() : methods(SPEC, 'ClientRequest')
const NOTICES = SPEC === undefined ? new Map<string, string>() : methods(SPEC, 'ServerNotification')

const requests = EXAMPLES.flatMap((example) => toMessages(example, REQUESTS, { id: 'example' }))
const notices = EXAMPLES.flatMap((example) => toMessages(example, NOTICES, {}))
const answers = EXAMPLES.flatMap(toAnswers)

describe(`the official examples of ${NEWEST.id}`, () => {
  it('are all there, and each fits its own definition', (context) => {
    const spec = needSpec(context, NEWEST.id)
    expect(EXAMPLES.length).toBe(HOW_MANY)
    const wrong = EXAMPLES.map(({ name, definition, text }) => ({
      name,
      problems: spec.problems(definition, JSON.parse(text)),
    }))
    expect(wrong.filter(({ problems }) => problems.length > 0)).toEqual([])
  })

  it('hold requests for every method, and notices, results and errors', (context) => {
    needSpec(context, NEWEST.id)
    const called = new Set(requests.map(({ message }) => message['method']))
    expect(called).toEqual(new Set(REQUESTS.keys()))
    expect([notices.length, answers.length]).toEqual([12, 45])
  })

  it.for(requests)('$title gets an answer', async ({ message }, context) => {
    const spec = needSpec(context, NEWEST.id)
    const heard = await sendAlone(message)
    expect(heard.flatMap((one) => judge(spec, one, 'closed'))).toEqual([])
    expect(heard.map(outcome)).toEqual(expected(message))
  })

  it('are accepted without a word where they are notices', async (context) => {
    needSpec(context, NEWEST.id)
    expect(notices).not.toEqual([])
    for (const { message } of notices) expect(await sendAlone(message)).toEqual([])
  })

  it('are read as answers where they are results and errors', (context) => {
    needSpec(context, NEWEST.id)
    expect(answers).not.toEqual([])
    for (const { title, message } of answers) {
      const { id, result, error } = message
      expect(parse(JSON.stringify(message)), title).toEqual({ kind: 'response', id, result, error })
    }
  })

  it('are refused where only a server may ask them', async (context) => {
    const spec = needSpec(context, NEWEST.id)
    const questions = EXAMPLES.flatMap((example) =>
      toMessages(example, methods(spec, 'InputRequest'), { id: 'example' }),
    )
    expect(questions.length).toBeGreaterThan(3)
    for (const { message } of questions) {
      const heard = await sendAlone(message)
      expect(heard.flatMap((one) => judge(spec, one))).toEqual([])
      expect(heard.map(outcome)).toEqual([-32601])
    }
  })
})

/** Everything a fresh server says to one message. */
async function sendAlone(message: JsonObject): Promise<readonly Heard[]> {
  const client = new Recorder(createEverything([officialExamples]), NEWEST, { capabilities: {}, answers: {} })
  client.sendText(JSON.stringify(message), { [String(message['id'])]: String(message['method']) })
  await new Promise((resolve) => setImmediate(resolve))
  client.close()
  return client.heard
}

/** The server has what the examples ask for, except for the second page of its lists. */
function expected({ method, params }: JsonObject): readonly (string | number)[] {
  if (method === 'subscriptions/listen') return ['notifications/subscriptions/acknowledged']
  if (!isObject(params)) return ['result']
  if ('cursor' in params) return [-32602]
  return params['name'] === 'build_simulation' ? ['notifications/progress', 'result'] : ['result']
}

function outcome({ message: { method, error } }: Heard): unknown {
  if (method !== undefined) return method
  return isObject(error) ? error['code'] : 'result'
}

/** An example that is a message of one of these methods, or the parameters of some. */
function toMessages(
  { definition, name, text }: Example,
  known: ReadonlyMap<string, string>,
  envelope: JsonObject,
): readonly Sendable[] {
  const value: JsonObject = JSON.parse(text)
  return [...known].flatMap(([method, message]) => {
    const title = `${name} (${method})`
    if (definition === message) return [{ title, message: { jsonrpc: '2.0', ...envelope, ...value } }]
    if (!isParams(definition, message)) return []
    return [{ title, message: { jsonrpc: '2.0', ...envelope, method, params: value } }]
  })
}

/** Lists share the definition of their parameters, and the modes of a question have one each. */
function isParams(definition: string, message: string): boolean {
  if (definition === 'PaginatedRequestParams')
    return /^List\w+sRequest$/.test(message) && message !== 'ListRootsRequest'
  return definition.startsWith(message) && definition.endsWith('Params')
}

/** An example that answers something, or a result or an error with an answer made round it. */
function toAnswers({ definition, name, text }: Example): readonly Sendable[] {
  const value: JsonObject = JSON.parse(text)
  if ('jsonrpc' in value && ('result' in value || 'error' in value)) return [{ title: name, message: value }]
  const member = /(Result|Error)$/.exec(definition)?.[1]?.toLowerCase()
  if (member === undefined) return []
  return [{ title: name, message: { jsonrpc: '2.0', id: 'example', [member]: value } }]
}
