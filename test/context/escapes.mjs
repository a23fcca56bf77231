/**
 * Scripts that try to get out of their sandbox, to hold up the server, or to have it believe something. Whoever gets
 * anywhere returns ESCAPED, or leaves `leaked` for the next one.
 */
export const ESCAPES = {
  'the constructor of everything': `
    const made = this?.constructor?.constructor ?? (() => {}).constructor
    return made("return typeof process + typeof require + typeof Buffer + typeof fetch + typeof WebAssembly")()
      .replaceAll('undefined', '') === '' ? 'held' : 'ESCAPED'`,
  'the constructor of what is handed to it': `
    const value = await tools.echo({})
    for (const one of [tools, tools.echo, console, console.log, value, tools.echo({})]) {
      const made = one?.constructor?.constructor
      if (made && made("return typeof process")() !== 'undefined') return 'ESCAPED'
    }
    return 'held'`,
  'constructors of every kind of function': `
    const kinds = [async () => {}, function* () {}, async function* () {}, class {}, () => {}]
    const said = kinds.map((one) => { try { return String(one.constructor("return globalThis.process")()) } catch (error) { return error.name } })
    return said.some((one) => one === '[object process]') ? 'ESCAPED' : said`,
  modules: `
    const said = []
    for (const name of ['node:fs', 'fs', 'os', 'std', 'qjs:os', 'quickjs-wasi', './worker.js'])
      said.push(await import(name).then(() => 'ESCAPED', (error) => error.name))
    return said`,
  'names of hosts': `
    return ['process', 'require', 'Buffer', 'fetch', 'setTimeout', 'WebAssembly', 'Worker', 'scriptArgs', 'print', 'std', 'os', 'host_call', 'parentPort']
      .filter((name) => name in globalThis).map((name) => 'ESCAPED ' + name)`,
  prototypes: `
    Object.prototype.polluted = true
    Array.prototype.x = 'ESCAPED'
    globalThis.leaked = true
    await tools.echo({ __proto__: { polluted: true }, ['__proto__']: { polluted: 1 }, constructor: { prototype: { polluted: 1 } } })
    return JSON.parse('{"__proto__":{"polluted":true}}')`,
  'a prototype of a result': `
    Object.defineProperty(Object.prototype, 'id', { get() { return 1 }, set() {} })
    Object.defineProperty(Object.prototype, 'value', { get() { return 'forged' }, set() {} })
    Object.defineProperty(Object.prototype, 'error', { get() { return undefined }, set() {} })
    return [await tools.echo({}), await tools.echo({})]`,
  'the words of JSON': `
    JSON.parse = () => [{ id: 1, value: 'ESCAPED' }]
    JSON.stringify = () => '{"calls":[],"end":{"value":"ESCAPED"}}'
    return await tools.echo({ a: 1 })`,
  'text that becomes structure': `
    const quote = String.fromCharCode(34)
    const broken = quote + '}],"end":{"value":"SMUGGLED"},"x":[{"a":' + quote
    const name = broken + '\\u2028\\u0000\\ud800'
    try { await tools[name]({ [name]: name }) } catch (error) { return error.message.length > 0 }`,
  'species of promises': `
    class Mine extends Promise { static get [Symbol.species]() { return Forged } }
    function Forged(run) { run((value) => { globalThis.leaked = value }, () => {}) }
    Promise.prototype.constructor = { [Symbol.species]: Forged }
    Promise.prototype.then = function () { return 'ESCAPED?'.slice(0, 0) }
    const given = Mine.resolve(1)
    return await tools.echo({})`,
  'a result that pretends to be a promise': `
    Object.prototype.then = function (resolve) { delete Object.prototype.then; resolve('forged') }
    return await tools.echo({})`,
  'arguments with getters': `
    let read = 0
    const args = { get a() { read++; return tools.echo({ read }) }, toJSON() { return { get b() { return read++ } } } }
    return [await tools.echo(args), read]`,
  're-entrance': `
    const args = { toJSON() { tools.echo({ inner: true }); return { outer: true } } }
    const proxy = new Proxy({}, { ownKeys() { tools.echo(args); return ['k'] }, getOwnPropertyDescriptor() { return { enumerable: true, configurable: true, value: 1 } } })
    return await Promise.all([tools.echo(args), tools.echo(proxy), [3, 1].sort(() => (tools.echo({}), 0)).length])`,
  'forged answers': `
    const seen = []
    const steal = Promise
    globalThis.Promise = function (run) { return new steal((resolve, reject) => { seen.push(resolve); run(resolve, reject) }) }
    const coming = tools.forbidden({})
    for (const resolve of seen) resolve('ESCAPED')
    try { return await coming } catch (error) { return error.message }`,
  'a word of consent of its own': `
    try { return await tools.forbidden({ allow: { action: 'accept' }, inputResponses: { allow: { action: 'accept' } }, requestState: '' }) } catch (error) { return error.message }`,
  'the sandbox by name': `
    const said = []
    for (const name of ['run', 'search', '__proto__', 'constructor', 'toString', 'then', ''])
      said.push(await Promise.resolve().then(() => tools[name]({ code: 'return 1' })).then(String, (error) => error.name))
    return said.includes('1') ? 'ESCAPED' : said`,
  'changing the tools': `
    'use strict'
    for (const attempt of [() => { tools.echo = () => 'ESCAPED' }, () => Object.defineProperty(tools, 'echo', { value: () => 'ESCAPED' }), () => Object.setPrototypeOf(tools, { echo: () => 'ESCAPED' })])
      try { attempt() } catch {}
    return await tools.echo({})`,
  'traces of stacks': `
    Error.prepareStackTrace = (error, frames) => { globalThis.frames = frames; return { toString() { throw new Error('x'.repeat(1e6)) } } }
    Error.stackTraceLimit = Infinity
    try { await tools.nothing({}) } catch {}
    const text = String(globalThis.frames?.map?.((one) => one.getFunction?.() ?? one.getThis?.() ?? ''))
    if (text.includes('waiting')) return 'ESCAPED'
    throw Object.create(null, { message: { get() { throw 1 } }, stack: { get() { for (;;); } } })`,
  'an error that never ends': `
    const bad = new Error('x')
    Object.defineProperty(bad, 'message', { get() { for (;;); } })
    throw bad`,
  'JSON a million deep, in': `
    let deep = {}; for (let n = 0; n < 1e6; n++) deep = { deep }
    return await tools.echo(deep)`,
  'JSON a thousand deep, in': `
    let deep = {}; for (let n = 0; n < 1000; n++) deep = { deep }
    try { return await tools.echo(deep) } catch (error) { return error.message }`,
  'JSON a million deep, out': `
    let deep = []; for (let n = 0; n < 1e6; n++) deep = [deep]
    return deep`,
  'JSON a thousand deep, out': `
    let deep = []; for (let n = 0; n < 1000; n++) deep = [deep]
    return deep`,
  'a huge text, in': `return await tools.echo({ text: 'x'.repeat(8e6) })`,
  'a huge text, out': `return 'x'.repeat(8e6)`,
  'a huge text, logged': `for (let n = 0; n < 100; n++) console.log('x'.repeat(1e6)); return 'logged'`,
  'texts that double': `let text = 'x'; for (;;) text += text`,
  'a list without end': `const list = []; for (;;) list.push(new Array(1000).fill(list.length))`,
  buffers: `const all = []; for (;;) all.push(new ArrayBuffer(1e6))`,
  'a loop': 'for (;;);',
  'a loop that catches': `for (;;) { try { for (;;); } catch {} finally { continue } }`,
  'a loop in a native': `new Array(1e8).join('ab')`,
  'another loop in a native': `return new Array(2e9).indexOf(1)`,
  'a sort in a native': `return new Array(3e6).fill(0).map((_, n) => -n).sort().length`,
  'a pattern that backtracks': `return /^(a+)+$/.test('a'.repeat(40) + 'b')`,
  'a flood of microtasks': `const again = () => Promise.resolve().then(again); again(); await again()`,
  'a flood of microtasks by name': `const again = () => queueMicrotask(again); again(); await tools.echo({}); await new Promise(() => {})`,
  'a flood of calls': `for (let n = 0; n < 1e5; n++) tools.echo({ n }).catch(() => {}); return 'flooded'`,
  recursion: `const again = () => again() + 1; return again()`,
  'a proxy that never ends': `const loop = new Proxy({}, { get: (_, key, self) => self[key] }); return loop.x`,
  'a generator that never ends': `return [...(function* () { for (;;) yield 1 })()]`,
  finalizers: `const all = new FinalizationRegistry(() => { for (;;); }); for (let n = 0; n < 1e4; n++) all.register({}, n); return 'done'`,
  'a number too large': `return 10n ** 100000000n`,
  'a name too long': `try { return await tools['x'.repeat(5e6)]({}) } catch (error) { return error.message.length }`,
  'code that closes what is around it': `return 1 }); globalThis.leaked = 1; (async () => { return 'other'`,
}
