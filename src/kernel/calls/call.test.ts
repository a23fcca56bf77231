import { afterEach, describe, expect, it, vi } from 'vitest'
import { receive } from '../../../test/setup/receive.ts'
import { introduction, talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { parse } from '../jsonrpc/parse.ts'
import type { Call } from './call.ts'
import { type Middleware, watch } from './middleware.ts'

const open = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
}
const callTool = (id: number, name: string, more: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, ...more } })

/** A server with one tool, and every call it was handed. */
function withTool(run: (call: Call) => unknown, middleware: readonly Middleware[] = []) {
  return defineServer({
    name: 's',
    version: '1',
    middleware,
    tools: [{ name: 't', run: (_: never, call: Call) => run(call) }],
  })
}

const pass: Middleware = (call, next) => next(call)

describe('a synchronous call', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  it('is answered at once, through several middleware, without a promise, a timer or a controller', () => {
    const server = withTool(() => 'done', [pass, (call, next) => watch(call, next, () => {}), pass])
    const link = server.open({ outlet: { send: () => {} } })
    void receive(link, parse(JSON.stringify(open)))
    void receive(link, parse(callTool(1, 't')))
    const request = parse(callTool(2, 't'))
    const controllers = vi.fn()
    const promises = vi.fn()
    vi.stubGlobal('AbortController', controllers)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const microtasks = vi.spyOn(globalThis, 'queueMicrotask')
    const Original = Promise
    vi.stubGlobal(
      'Promise',
      class<T> extends Original<T> {
        constructor(run: ConstructorParameters<typeof Original<T>>[0]) {
          super(run)
          promises()
        }
      },
    )
    const reply = receive(link, request)
    vi.unstubAllGlobals()
    expect(reply).not.toBeInstanceOf(Promise)
    expect(reply).toMatchObject({ id: 2, result: { content: [{ text: 'done' }], isError: false } })
    for (const spy of [controllers, promises, timers, microtasks]) expect(spy).not.toHaveBeenCalled()
  })

  it('is answered at once when it fails, too', () => {
    const server = withTool(() => {
      throw new Error('broken')
    }, [pass])
    const link = server.open({ outlet: { send: () => {} } })
    void receive(link, parse(JSON.stringify(open)))
    expect(receive(link, parse(callTool(1, 't')))).toMatchObject({ result: { isError: true } })
    expect(link.calls.size).toBe(0)
  })
})

describe('its signal', () => {
  it('is aborted when the call is cancelled, and the call gets no answer', async () => {
    let signal: AbortSignal | undefined
    const server = withTool((call) => {
      signal = call.signal
      return new Promise((resolve) => call.signal.addEventListener('abort', () => resolve('stopped')))
    })
    const to = talk(server, '2025-11-25')
    to.send(callTool(5, 't'))
    expect(signal?.aborted).toBe(false)
    to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
    expect(signal?.aborted).toBe(true)
    await to.ask('ping')
    expect(to.heard.filter(({ id }) => id === 5)).toEqual([])
  })

  it('is aborted already when it is first read after the cancellation', async () => {
    let release = () => {}
    let late: AbortSignal | undefined
    const server = withTool(async (call) => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      late = call.signal
      return ''
    })
    const to = talk(server, '2025-11-25')
    to.send(callTool(5, 't'))
    to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
    release()
    await to.ask('ping')
    expect(late?.aborted).toBe(true)
    expect(late).toBe(late)
  })

  it('is aborted when the client leaves', () => {
    let signal: AbortSignal | undefined
    const to = talk(
      withTool((call) => {
        signal = call.signal
        return new Promise(() => {})
      }),
      '2025-11-25',
    )
    to.send(callTool(5, 't'))
    to.close()
    expect(signal?.aborted).toBe(true)
  })
})

it('tells of its cancellation once, and of none when it has been answered', () => {
  const calls: Call[] = []
  const told: unknown[] = []
  const server = withTool((call) => {
    call.whenCancelled((reason) => told.push(reason))
    return calls.push(call) === 1 ? new Promise(() => {}) : ''
  })
  const to = talk(server, '2025-11-25')
  to.send(callTool(5, 't'))
  to.send(callTool(6, 't'))
  for (const reason of ['first', 'second']) for (const call of calls) call.abort(reason)
  expect(told).toEqual(['first'])
})

describe('its notices', () => {
  const progressOf = (run: (call: Call) => unknown, version = '2025-11-25') => {
    const to = talk(withTool(run), version)
    to.send(callTool(1, 't', { _meta: { progressToken: 'p' } }))
    return to.notices('notifications/progress').map(({ params }) => params)
  }

  it('of progress only ever increase', () => {
    const told = progressOf((call) => {
      call.progress(1, 10)
      call.progress(1)
      call.progress(0.5)
      call.progress(2, 10, 'half')
      return ''
    })
    expect(told).toEqual([
      { progressToken: 'p', progress: 1, total: 10 },
      { progressToken: 'p', progress: 2, total: 10, message: 'half' },
    ])
  })

  it('of progress increase also over what was told to break a silence', () => {
    const again = 1 + 1e-9
    const told = progressOf((call) => {
      call.progress(1)
      call.progressing.again()
      call.progress(again)
      return ''
    })
    expect(told).toMatchObject([{ progress: 1 }, { progress: again }, { progress: again + 1e-9 }])
  })

  it('of progress have no message where the revision has none', () => {
    expect(progressOf((call) => call.progress(0, 1, 'begun'), '2024-11-05')).toEqual([
      { progressToken: 'p', progress: 0, total: 1 },
    ])
  })

  it('of progress are not sent to a client that asked for none', () => {
    const to = talk(
      withTool((call) => call.progress(1)),
      '2025-11-25',
    )
    to.send(callTool(1, 't'))
    expect(to.heard.filter(({ method }) => method !== undefined)).toEqual([])
  })

  it('end with its answer, and with its cancellation', async () => {
    let kept: Call | undefined
    const to = talk(
      withTool((call) => {
        kept = call
        return call.params?.['wait'] === true ? new Promise(() => {}) : ''
      }),
      '2025-11-25',
    )
    to.send(callTool(1, 't', { _meta: { progressToken: 'p' } }))
    kept?.progress(5)
    kept?.log('error', 'too late')
    kept?.abort()
    expect(kept?.aborted).toBe(false)
    to.send(callTool(2, 't', { wait: true, _meta: { progressToken: 'p' } }))
    to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })
    kept?.progress(5)
    expect(to.heard.filter(({ method }) => method !== undefined)).toEqual([])
  })

  it('of the log are sent from the level that the client set', async () => {
    const to = talk(
      withTool((call) => {
        call.log('debug', 1)
        call.log('warning', 2)
        call.log('error', { three: 3 }, 'mine')
        return ''
      }),
      '2025-11-25',
    )
    await to.ask('logging/setLevel', { level: 'error' })
    to.send(callTool(1, 't'))
    expect(to.notices('notifications/message').map(({ params }) => params)).toEqual([
      { level: 'error', logger: 'mine', data: { three: 3 } },
    ])
    expect(await to.ask('logging/setLevel', { level: 'loud' })).toMatchObject({ error: { code: -32602 } })
  })

  it('of the log are sent to a request that asks for them, in the newest revision', async () => {
    const to = talk(withTool((call) => call.log('info', 'hello')))
    await to.ask('tools/call', { name: 't', _meta: introduction() })
    expect(to.notices('notifications/message')).toEqual([])
    await to.ask('tools/call', {
      name: 't',
      _meta: introduction({}, { 'io.modelcontextprotocol/logLevel': 'debug' }),
    })
    expect(to.notices('notifications/message')).toMatchObject([
      { params: { level: 'info', logger: 's', data: 'hello' } },
    ])
  })

  it('go to the outlet of the message when it has one of its own', () => {
    const server = withTool((call) => {
      call.log('error', 'there')
      call.detach()
      return ''
    })
    const sent: unknown[] = []
    const detach = vi.fn()
    const link = server.open({ outlet: { send: () => expect.unreachable() } })
    void receive(link, parse(JSON.stringify(open)))
    void receive(link, parse(callTool(1, 't')), { send: (message) => sent.push(message), detach })
    expect(sent).toMatchObject([{ method: 'notifications/message' }])
    expect(detach).toHaveBeenCalledOnce()
  })
})

it('takes another request only with the id that came', () => {
  let call: Call | undefined
  const to = talk(
    withTool((one) => {
      call = one
      return ''
    }),
    '2025-11-25',
  )
  to.send(callTool(5, 't'))
  const replace = (request: unknown) => () => Object.assign(call ?? {}, { request })
  expect(replace({ ...call?.request, id: 6 })).toThrow(
    'expected a request with the id that came, got the number 6',
  )
  expect(replace({ method: 'ping' })).toThrow('expected a request with the id that came, got an object')
  expect(replace({ ...call?.request, method: 'ping' })).not.toThrow()
  expect(call?.method).toBe('ping')
})

it('is refused when a call with its id is still under way', async () => {
  const to = talk(
    withTool(() => new Promise(() => {})),
    '2025-11-25',
  )
  to.send(callTool(1, 't'))
  to.send(callTool(1, 't'))
  expect(to.heard).toMatchObject([
    { id: 1, error: { code: -32600, message: expect.stringContaining('still under way') } },
  ])
})
