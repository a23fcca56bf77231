import { countTokens } from 'gpt-tokenizer'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../console/model/text.ts'
import { FRONT_TOKENS } from '../../src/context/front-cost.ts'
import {
  createTestClient,
  defineServer,
  defineTool,
  rateLimit,
  type TelemetryRecord,
  telemetry,
} from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import { openQuickJs } from '../../src/sandbox/index.ts'
import { serveHttp } from '../../src/transports/http/index.ts'
import { define, greet, order, scripting, textOf, weather } from './code-server.ts'

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

const LIMITS = {
  milliseconds: 1000,
  memoryBytes: 16 * 1024 * 1024,
  calls: 1,
  argumentBytes: 100,
  stepBytes: 100,
  outputBytes: 100,
  logBytes: 100,
  imageBytes: 1024 * 1024,
}

describe('a server that offers scripts', () => {
  it.each(REVISIONS)(
    'lists the search and the run, and runs scripts that call its tools (%s)',
    async (revision) => {
      const { client, run } = await scripting({}, { revision })
      expect((await client.tools()).map(({ name }) => name)).toEqual(['search', 'run'])
      const ran = await run(`
      const cities = ['Rome', 'Oslo', 'Reykjavik']
      const all = await Promise.all(cities.map((city) => tools.get_weather({ city })))
      return all.map(({ degrees }, at) => cities[at] + ': ' + degrees)`)
      expect(ran.isError).not.toBe(true)
      expect(textOf(ran)).toBe('["Rome: 4","Oslo: 4","Reykjavik: 9"]')
    },
  )

  it('costs a model fewer than 900 tokens to know, and what the console says', async () => {
    for (const offer of ['code', 'search'] as const) {
      const { client } = await scripting({ offer })
      const listed = await client.tools()
      expect(listed).toHaveLength(2)
      expect(countTokens(JSON.stringify(listed))).toBeLessThan(900)
      expect(estimateTokens(listed)).toBe(FRONT_TOKENS[offer])
    }
  })

  it('gives the value of a tool that has an output schema, and the text of any other', async () => {
    const picture = defineTool({
      name: 'draw',
      run: () => ({
        content: [
          { type: 'text', text: 'a cat' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        ],
      }),
    })
    const untyped = defineTool({ name: 'untyped', run: () => ({ a: 1 }) })
    const { run } = await scripting({ tools: [weather, greet, picture, untyped] })
    const ran = await run(`
      const { degrees } = await tools.get_weather({ city: 'Rome' })
      return [degrees, await tools.greet(), await tools.draw(), await tools.untyped()]`)
    expect(JSON.parse(textOf(ran))).toEqual([4, 'Hello, you', 'a cat\n[image image/png]', '{"a":1}'])
  })

  it('tells what it returns as it is: a text as text, nothing as nothing, and what it logs after that', async () => {
    const { run } = await scripting()
    expect(textOf(await run(`return 'plain "text"'`))).toBe('plain "text"')
    expect(textOf(await run('await tools.greet()'))).toMatch(
      /^It returned nothing: a script gives what it returns\./,
    )
    expect(textOf(await run('async () => { return 1 }'))).toContain(
      'the body of a function and not a function',
    )
    const logged = await run(`console.log('at', { step: 1 }); console.warn(undefined); return null`)
    expect(logged.content.map((one) => (one as { text: string }).text)).toEqual([
      'null',
      'Logged:\nat {"step":1}\nundefined',
    ])
  })

  it.each([
    ['let x = ;', /^SyntaxError: .* \(line 1, column \d+\)\nNo call was made\.$/],
    ['const a = {}\nreturn a.b.c', /^TypeError: .* \(line 2, column 8\)\nNo call was made\.$/],
    ['throw "no"', /^It threw no\nNo call was made\.$/],
    [
      'await tools.greet()\n  await tools.get_wether({ city: "Rome" })',
      /^ToolError: There is no tool "get_wether"\. Did you mean get_weather\? .* \(line 2, column \d+\)\n1 of 2 calls were made: greet, get_wether \(not made\)\.$/,
    ],
    [
      'await tools.get_weather({ city: 5 })',
      /^ToolError: Invalid arguments for tool get_weather: city: .*\(line 1, column \d+\)\n1 of 1 calls were made: get_weather \(failed\)\.$/,
    ],
    ['await tools.greet("Ann")', /^TypeError: tools\.greet takes one object with its arguments, got "Ann"/],
    ['await new Promise(() => {})', /^It waits for something that never comes/],
    ['const a = []; a.push(a); return a', /^What it returns cannot be written as JSON: TypeError/],
    ['queueMicrotask(() => { throw new Error("lost") }); await tools.greet()', /lost/],
  ])('says where and why it failed, and which calls were made: %s', async (code, said) => {
    const { run } = await scripting()
    const ran = await run(code)
    expect(ran.isError).toBe(true)
    expect(textOf(ran)).toMatch(said)
  })

  it('lets a script go on after a call that failed', async () => {
    const { run } = await scripting()
    const ran = await run(`
      try { await tools.get_weather({}) } catch (error) { return error.name + ' at last: ' + await tools.greet() }`)
    expect(textOf(ran)).toBe('ToolError at last: Hello, you')
  })

  it('makes calls that nobody waits for, all the same', async () => {
    const greeted: string[] = []
    const slow = defineTool({
      name: 'slow',
      run: async () => {
        await new Promise(setImmediate)
        greeted.push('done')
        return ''
      },
    })
    const { run } = await scripting(
      { tools: [slow, order] },
      { answers: { 'elicitation/create': () => ({ action: 'decline' }) } },
    )
    const ran = await run('tools.slow(); tools.order_tea(); return 1')
    expect(greeted).toEqual(['done'])
    expect(textOf(ran)).toBe('1\n1 of 2 calls were made: slow, order_tea (not made).')
  })

  it('has no way to what its caller may not see', async () => {
    const secret = defineTool({ name: 'send_invoice', scopes: ['billing'], run: () => 'sent' })
    const principal = { id: 'ann', scopes: ['news'] }
    const { run } = await scripting({ tools: [secret] }, { principal })
    expect(textOf(await run('return await tools.send_invoice()'))).toMatch(
      /^ToolError: There is no tool "send_invoice"\. search finds/,
    )
    const bob = await scripting({ tools: [secret] }, { principal: { id: 'bob', scopes: ['billing'] } })
    expect(textOf(await bob.run('return await tools.send_invoice()'))).toBe('sent')
  })

  it('has its calls limited, wrapped and told of like those of a client', async () => {
    const records: TelemetryRecord[] = []
    const sink = { take: (record: TelemetryRecord) => void records.push(record) }
    const { run } = await scripting({
      modules: [telemetry({ sinks: [sink] })],
      middleware: [rateLimit({ perMinute: 3 })],
    })
    const ran = await run('for (let n = 0; n < 3; n++) await tools.greet()')
    expect(textOf(ran)).toMatch(
      /^ToolError: Too many requests: a caller may make 3 calls a minute .*\n3 of 3 calls were made: greet, greet, greet \(failed\)\.$/,
    )
    const invoked = records.flatMap((record) => (record.kind === 'invoked' ? [record.tool] : []))
    expect(invoked).toEqual(['greet', 'greet', 'run'])
    expect(records.filter((record) => 'unknown' in record && record.unknown !== undefined)).toEqual([])
  })

  it('begins calls with long arguments in turns of their own, and in their order', async () => {
    let turn = 0
    let counting = true
    const count = () => {
      turn++
      if (counting) setImmediate(count)
    }
    const begun: [number, number][] = []
    const take = defineTool({
      name: 'take',
      input: { type: 'object', properties: { at: { type: 'number' } }, required: ['at'] },
      run: ({ at }) => {
        begun.push([at, turn])
        return ''
      },
    })
    const { run } = await scripting({ tools: [take] })
    count()
    await run(`
      const many = JSON.parse('[' + '[],'.repeat(50_000) + '0]')
      await Promise.all([0, 1, 2, 3].map((at) => tools.take({ at, many: at === 3 ? [] : many })))`)
    counting = false
    expect(begun.map(([at]) => at)).toEqual([0, 1, 2, 3])
    expect(new Set(begun.map(([, at]) => at)).size).toBe(4)
  })

  it('makes no calls whose arguments would take more room than there is', async () => {
    const ends: (() => void)[] = []
    const wait = defineTool({
      name: 'wait',
      input: { type: 'object', properties: { many: { type: 'array' } } },
      run: () => new Promise<string>((resolve) => ends.push(() => resolve('waited'))),
    })
    const budgets = { maxUnderwayBytes: 500_000 }
    const { server, run } = await scripting({ tools: [wait, greet], budgets })
    const ran = run(`
      const many = JSON.parse('[' + '[],'.repeat(10_000) + '0]')
      const waiting = tools.wait({ many })
      const refused = await tools.wait({ many }).catch(({ message }) => message)
      const small = await tools.greet()
      return [refused, small, await waiting]`)
    await expect.poll(() => ends.length).toBe(1)
    expect(server.usage.read('maxUnderwayBytes')).toBeGreaterThan(500_000)
    ends[0]?.()
    expect(textOf(await ran)).toMatch(
      /^\["wait was not called: Too many requests: .*at most 500000 bytes, got \d+ \(--max-underway\)","Hello, you","waited"\]/,
    )
    expect(server.usage.read('maxUnderwayBytes')).toBe(0)
  })

  it('is told where the arguments of all calls that it makes at once are too long', async () => {
    const { server, run } = await scripting({ budgets: { maxScriptStepBytes: 100 } })
    const ran = await run(`
      const name = 'x'.repeat(60)
      const both = await Promise.allSettled([tools.greet({ name }), tools.greet({ name })])
      await tools.greet({ name })
      return both.map(({ reason }) => reason?.message ?? '')`)
    expect(textOf(ran)).toBe(
      '["","The arguments of all calls that are made at once are too long: at most 100 bytes, got 142 (--max-script-step). Wait for some calls before others are made"]',
    )
    expect(server.usage.read('maxScriptStepBytes')).toBe(71)
  })

  it('has a clock that stands still between calls, and random numbers of its own', async () => {
    const { run } = await scripting()
    const [before, after, random] = JSON.parse(
      textOf(
        await run(
          'const a = Date.now(); for (let n = 0; n < 1e5; n++); return [a, Date.now(), Math.random()]',
        ),
      ),
    )
    expect(after).toBe(before)
    expect(Math.abs(before - Date.now())).toBeLessThan(3_600_000)
    expect(JSON.parse(textOf(await run('return Math.random()')))).not.toBe(random)
  })

  it('keeps hidden tools of its own names within reach', async () => {
    const own = defineTool({ name: 'run', run: () => 'my run' })
    const { run } = await scripting({ tools: [own] })
    expect(textOf(await run('return await tools.run()'))).toBe('my run')
  })

  it('runs as a task for clients that want one', async () => {
    const { client } = await scripting({}, { revision: '2025-11-25' })
    const begun = await client.request('tools/call', {
      name: 'run',
      arguments: { code: 'return (await tools.get_weather({ city: "Rome" })).degrees' },
      task: {},
    })
    const { taskId } = begun['task'] as { taskId: string }
    const result = await client.request('tasks/result', { taskId })
    expect(textOf(result as never)).toBe('4')
  })

  it('stops with the call that began it', async () => {
    let asked = 0
    const forever = defineTool({
      name: 'forever',
      run: (_args, call) =>
        new Promise<string>((resolve) => {
          asked++
          call.signal.addEventListener('abort', () => resolve('stopped'))
        }),
    })
    const { server, client } = await scripting({ tools: [forever, greet], budgets: { maxScriptThreads: 1 } })
    const stop = new AbortController()
    const waiting = client.callTool('run', { code: 'await tools.forever()' }, { signal: stop.signal })
    await expect.poll(() => asked).toBe(1)
    stop.abort()
    await expect(waiting).rejects.toThrow()
    const looping = new AbortController()
    const running = client.callTool('run', { code: 'for (;;);' }, { signal: looping.signal })
    setTimeout(() => looping.abort(), 50)
    await expect(running).rejects.toThrow()
    // The only thread is free again, or another has taken its place.
    const next = await createTestClient(server)
    expect(textOf(await next.callTool('run', { code: 'return await tools.greet()' }))).toBe('Hello, you')
  })

  it('does not wait for its turn any longer once its call is called off', async () => {
    const pool = await openQuickJs({ ...LIMITS, threads: 1 })
    const first = await pool.begin('return 1', '', new AbortController().signal)
    const stop = new AbortController()
    const waiting = [1, 2, 3].map((at) => pool.begin(`return ${at}`, '', stop.signal))
    const staying = pool.begin('return 4', '', new AbortController().signal)
    stop.abort()
    const late = pool.begin('return 5', '', stop.signal)
    for (const one of [...waiting, late]) await expect(one).rejects.toThrow('cancelled')
    first.leave()
    expect((await (await staying).go([], 0)).end).toMatchObject({ value: '4' })
    expect(pool.isCrowded).toBe(false)
    await pool.close()
  })

  it('gives the place of one that waits to another that could run', async () => {
    let open: (text: string) => void = () => {}
    const wait = defineTool({
      name: 'wait',
      run: () =>
        new Promise<string>((resolve) => {
          open = resolve
        }),
    })
    const { run } = await scripting({ tools: [wait, greet], budgets: { maxScriptThreads: 1 } })
    const first = run('const seen = 7; return seen + await tools.wait()')
    const others = await Promise.all([run('return await tools.greet()'), run('return 2')])
    expect(others.map(textOf)).toEqual(['Hello, you', '2'])
    open(' at last')
    expect(textOf(await first)).toBe('7 at last')
  })
})

describe('callers who have all places', () => {
  /** Nothing can be put aside, and nothing that is waited for comes before it is told to. */
  async function crowded() {
    let asked = 0
    let finish = () => {}
    const finished = new Promise<string>((resolve) => {
      finish = () => resolve('late')
    })
    const wait = defineTool({
      name: 'wait',
      run: () => {
        asked++
        return finished
      },
    })
    const budgets = { maxScriptThreads: 3, maxScriptMs: 500, maxScriptKeptBytes: 10 }
    const { server } = await scripting({ tools: [wait], budgets })
    const run = async (id: string, code: string) => {
      const client = await createTestClient(server, { principal: { id } })
      return textOf(await client.callTool('run', { code }))
    }
    const waits = async (ids: readonly string[]) => {
      const before = asked
      const runs = ids.map((id) => run(id, 'return await tools.wait()'))
      await expect.poll(() => asked).toBe(before + ids.length)
      return () => Promise.all(runs)
    }
    return { run, waits, finish: () => finish() }
  }

  it('give one back to a third, who would wait for as long as their calls do', async () => {
    const { run, waits, finish } = await crowded()
    const ended = await waits(['ann', 'ann', 'bob'])
    expect(await run('cleo', 'return 1')).toBe('1')
    finish()
    const [gave, ...stayed] = (await ended()).sort()
    expect(gave).toMatch(
      /^It waited for a call in a place for which others waited .*: What it holds is too much .*--max-script-kept\)\n1 of 1 calls were made: wait\.$/,
    )
    expect(stayed).toEqual(['late', 'late'])
  })
})

describe('many scripts', () => {
  it('at once and one after the other give each their own, and leave nothing behind', async () => {
    const { server, run } = await scripting({ budgets: { maxScriptThreads: 3 } })
    const numbers = Array.from({ length: 100 }, (_, number) => number)
    const code = (number: number) =>
      `const { degrees } = await tools.get_weather({ city: 'Rome' }); return degrees + ${number}`
    const ran = await Promise.all(numbers.map((number) => run(code(number))))
    expect(ran.map(textOf)).toEqual(numbers.map((number) => `${number + 4}`))
    for (const number of numbers.slice(0, 20)) expect(textOf(await run(code(number)))).toBe(`${number + 4}`)
    const { usage } = server as Server
    expect([usage.read('maxScriptStoreBytes'), usage.read('maxUnderwayBytes')]).toEqual([0, 0])
  })
})

describe('the limits of scripts', () => {
  it('are gauges, which say how much of each was used', async () => {
    const { server, run } = await scripting({})
    const { usage } = server as Server
    let finish = () => {}
    const waiting = new Promise<void>((resolve) => {
      finish = resolve
    })
    let seen = 0
    server.tools.add({
      name: 'wait',
      run: async () => {
        seen = usage.read('maxScriptThreads')
        await waiting
        return 'done'
      },
    })
    const running = run('console.log("said"); await tools.wait({}); return "x".repeat(50)')
    await expect.poll(() => seen).toBe(1)
    finish()
    await running
    expect(usage.read('maxScriptThreads')).toBe(0)
    expect(usage.read('maxScriptOutputBytes')).toBe(52)
    expect(usage.read('maxScriptArgumentsBytes')).toBe(2)
    expect(usage.read('maxScriptCalls')).toBe(1)
    expect(usage.read('maxScriptLogBytes')).toBeGreaterThanOrEqual(4)
    expect(usage.read('maxScriptMs')).toBeGreaterThan(0)
    expect(usage.read('maxScriptMemoryBytes')).toBeGreaterThan(100_000)
  })

  it.each([
    ['time', { maxScriptMs: 100 }, 'for (;;);', 'It ran for more than 100 ms'],
    ['time in natives', { maxScriptMs: 100 }, 'new Array(1e8).join("ab")', 'It ran for more than 100 ms'],
    [
      'memory',
      { maxScriptMemoryBytes: 4_000_000 },
      'const a = []; for (;;) a.push("x".repeat(1e5) + a.length)',
      'out of memory: at most 4000000 bytes',
    ],
    ['depth', {}, 'const again = () => again() + 1\nagain()', 'stack size exceeded (line 1, column'],
    ['calls', { maxScriptCalls: 2 }, 'for (;;) await tools.greet()', 'A script may make at most 2 calls'],
    [
      'output',
      { maxScriptOutputBytes: 100 },
      'return "x".repeat(200)',
      'What it returns is too long: at most 100 bytes, got 202',
    ],
    [
      'arguments',
      { maxScriptArgumentsBytes: 100 },
      'await tools.greet({ name: "x".repeat(200) })',
      'are too long: at most 100 bytes, got 211',
    ],
  ])('are told in words: %s', async (_what, budgets, code, said) => {
    const { run } = await scripting({ budgets })
    const ran = await run(code)
    expect(ran.isError).toBe(true)
    expect(textOf(ran)).toContain(said)
    // The next one has a sandbox of its own.
    expect(textOf(await run('return 1'))).toBe('1')
  })

  it('leave out what is logged past them, and say how much', async () => {
    const { run } = await scripting({ budgets: { maxScriptLogBytes: 20 } })
    expect(textOf(await run('for (let n = 0; n < 9; n++) console.log("line " + n)'))).toContain(
      'Logged:\nline 0\nline 1\n… and 7 more that there was no room for',
    )
  })
})

describe('what may destroy something', () => {
  const asking = (action: string, messages: unknown[] = []) => ({
    'elicitation/create': (params: { readonly [key: string]: unknown }) => {
      messages.push(params['message'])
      return { action, ...(action === 'accept' && { content: {} }) }
    },
  })

  it.each(['2025-11-25', '2026-07-28'])(
    'is called by a script once the user has agreed (%s)',
    async (revision) => {
      const messages: unknown[] = []
      const { run } = await scripting({}, { revision, answers: asking('accept', messages) })
      expect(textOf(await run('return await tools.remove_all({ of: "drafts" })'))).toBe('removed drafts')
      expect(messages).toEqual([
        'A script wants to call remove_all, which may destroy something, with {"of":"drafts"}. Is it allowed to?',
      ])
    },
  )

  it('is not called if they do not', async () => {
    const { run } = await scripting({}, { answers: asking('decline') })
    expect(textOf(await run('return await tools.remove_all()'))).toMatch(
      /^ToolError: The user did not allow remove_all \(line 1, column \d+\)\n0 of 1 calls were made: remove_all \(not made\)\.$/,
    )
  })

  it('is not called where nobody can be asked, unless the operator allows it', async () => {
    const { run } = await scripting({}, {})
    expect(textOf(await run('return await tools.remove_all()'))).toContain('--destructive allow')
    const allowed = await scripting({ destructive: 'allow' }, {})
    expect(textOf(await allowed.run('return await tools.remove_all()'))).toBe('removed everything')
  })
})

describe('a server that stands for others', () => {
  it.each(['2025-11-25', '2026-07-28'])(
    'has scripts call their tools, which may ask (%s)',
    async (revision) => {
      const behind = await serveHttp(
        defineServer({ name: 'behind', version: '1', tools: [weather, order], reports: true }),
        { port: 0 },
      )
      const server = define({ tools: [], modules: [upstream('north', { url: behind.url })] })
      const answers = { 'elicitation/create': () => ({ action: 'accept', content: { size: 'large' } }) }
      const client = await createTestClient(server, { revision, answers })
      const code =
        'return [(await tools.get_weather({ city: "Oslo" })).degrees, await tools.order_tea({ tea: "green" })]'
      expect(textOf(await client.callTool('run', { code }))).toBe('[4,"a large green tea"]')
      client.close()
      await behind.close()
    },
  )
})
