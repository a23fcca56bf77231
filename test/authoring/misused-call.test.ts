import { expect, it } from 'vitest'
import { createTestClient, defineServer, elicit, type ServerEvent } from '../../src/index.ts'

/** A call as JavaScript has it: anything can be given to any of its functions. */
interface LooseCall {
  readonly [name: string]: (...given: readonly unknown[]) => unknown
}

const QUESTION = elicit({ message: 'm', schema: { type: 'object', properties: {} } })
const LEVELS = 'debug, info, notice, warning, error, critical, alert, emergency'
const WAY = 'call.ask({ answer: elicit({ message, schema }) })'
const HOW_FAR = 'call.progress: expected a finite number, as in call.progress(3, 10), got'

/** A server with one tool, and what its log tells. */
function withTool(run: (call: LooseCall) => unknown) {
  const crashed: unknown[] = []
  const observe = (event: ServerEvent) => void (event.kind === 'crashed' && crashed.push(event.error))
  const server = defineServer({
    name: 's',
    version: '1',
    modules: [{ name: 'log', observe }],
    tools: [
      { name: 't', run: (_args, call) => run(call as unknown as LooseCall) },
      { name: 'other', run: () => 'ok' },
    ],
  })
  return { server, crashed }
}

it.each<[string, (call: LooseCall) => unknown, string]>([
  ['a level', (call) => call['log']?.('wanr', 'x'), `got the string "wanr". Did you mean warning?`],
  ['a short level', (call) => call['log']?.('warn', 'x'), 'Did you mean warning?'],
  ['a level with a slip', (call) => call['log']?.('eror', 'x'), 'Did you mean error?'],
  [
    'no level',
    (call) => call['log']?.('It rains'),
    `call.log: level: expected one of ${LEVELS}, got the string "It rains". It stands first: call.log('info', 'It rains')`,
  ],
  ['no notice', (call) => call['log']?.(), `call.log: level: expected one of ${LEVELS}, got nothing`],
  [
    'a notice of nothing',
    (call) => call['log']?.('info'),
    `call.log: data: expected what there is to tell, as in call.log("info", 'It rains'), got nothing`,
  ],
  ['a function to tell', (call) => call['log']?.('info', () => 1), 'expected what there is to tell'],
  [
    'a logger',
    (call) => call['log']?.('info', '%s', 5),
    'call.log: logger: expected a string, got the number 5',
  ],

  ['progress as text', (call) => call['progress']?.('x'), `${HOW_FAR} the string "x"`],
  ['no progress', (call) => call['progress']?.(), `${HOW_FAR} nothing`],
  ['progress without end', (call) => call['progress']?.(1 / 0), `${HOW_FAR} the number Infinity`],
  [
    'a message for a total',
    (call) => call['progress']?.(1, 'half'),
    'call.progress: total: expected a finite number, and a message after it: call.progress(3, 10, message), got the string "half"',
  ],
  [
    'a message',
    (call) => call['progress']?.(1, 2, 3),
    'call.progress: message: expected a string, got the number 3',
  ],

  [
    'no question',
    (call) => call['ask']?.(),
    `call.ask: questions: expected an object, got nothing. Each has a name: ${WAY}`,
  ],
  ['a list of questions', (call) => call['ask']?.([QUESTION]), 'expected an object, got an array'],
  [
    'a question without a name',
    (call) => call['ask']?.(QUESTION),
    `call.ask: questions: expected questions by their names, got one without: ${WAY}`,
  ],
  [
    'a question as text',
    (call) => call['ask']?.({ drink: 'Which?' }),
    'call.ask: drink: expected a question of elicit(), elicitUrl(), sample() or listRoots(), got the string "Which?"',
  ],
  [
    'what goes with a question',
    (call) => call['ask']?.({ drink: QUESTION }, { stat: 1 }),
    'call.ask: options: there is no "stat". Did you mean state?',
  ],
  [
    'when it is asked',
    (call) => call['ask']?.({ drink: QUESTION }, { before: 'run' }),
    `call.ask: options.before: expected 'task', got the string "run"`,
  ],

  ['no tool', (call) => call['invoke']?.(), 'call.invoke: name: expected a string, got nothing'],
  [
    'arguments',
    (call) => call['invoke']?.('other', 'x'),
    'call.invoke: args: expected an object, got the string "x"',
  ],
  ['no method', (call) => call['notify']?.(), 'call.notify: method: expected a string, got nothing'],
  [
    'parameters',
    (call) => call['notify']?.('notifications/x', 'y'),
    'call.notify: params: expected an object, got the string "y"',
  ],
  [
    'no function',
    (call) => call['whenCancelled']?.(),
    'call.whenCancelled: expected a function, got nothing',
  ],
])('%s is a mistake that the client and the log are told of, with its place', async (_what, run, message) => {
  const { server, crashed } = withTool(run)
  const client = await createTestClient(server)
  const { content, isError } = await client.callTool('t')
  expect(isError).toBe(true)
  expect(content).toMatchObject([{ text: expect.stringContaining(message) }])
  expect(crashed).toMatchObject([
    { message: expect.stringContaining(message), stack: expect.stringContaining('misused-call.test') },
  ])
})

it('what may be given is: a step back, nothing to tell, no question, no parameters', async () => {
  const { server, crashed } = withTool((call) => {
    call['progress']?.(2, undefined, undefined)
    call['progress']?.(1)
    call['log']?.('info', undefined, undefined)
    call['notify']?.('notifications/x')
    return call['ask']?.({})
  })
  const client = await createTestClient(server, { revision: '2025-11-25' })
  expect(await client.callTool('t')).toMatchObject({ structuredContent: {} })
  expect(client.notices).toMatchObject([
    { method: 'notifications/message', params: { level: 'info', data: null } },
    { method: 'notifications/x' },
  ])
  expect(crashed).toEqual([])
})

it('a call that is over says nothing, whatever it is given', async () => {
  let over: LooseCall | undefined
  const { server } = withTool((call) => {
    over = call
  })
  await (await createTestClient(server)).callTool('t')
  expect(() => [over?.['progress']?.('x'), over?.['log']?.('wanr'), over?.['notify']?.()]).not.toThrow()
})

it('a level of a connection is checked, too', async () => {
  const told: unknown[] = []
  const observe = (event: ServerEvent) => {
    if (event.kind !== 'link-opened') return
    try {
      event.link.log('warn' as never, 'x')
    } catch (error) {
      told.push(error)
    }
  }
  const server = defineServer({ name: 's', version: '1', modules: [{ name: 'm', observe }] })
  await createTestClient(server, { revision: '2025-11-25' })
  expect(told).toMatchObject([
    { message: expect.stringMatching(/^link\.log: level: .* Did you mean warning\?$/) },
  ])
})
