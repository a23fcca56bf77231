import fc from 'fast-check'

/** Written like this, the linter knows that it is meant. */
const THEN = 'then'

/** Values that JSON cannot say, or that throw when somebody touches them. */
const HOSTILE: Record<string, () => unknown> = {
  undefined: () => undefined,
  null: () => null,
  symbol: () => Symbol('s'),
  BigInt: () => 2n ** 70n,
  NaN: () => Number.NaN,
  function: () => () => 'called',
  class: () => class {},
  'circular object': () => {
    const self: Record<string, unknown> = {}
    self['self'] = self
    return self
  },
  'circular array': () => {
    const self: unknown[] = []
    self.push(self)
    return self
  },
  'getter that throws': () => ({
    get value() {
      throw new Error('got')
    },
  }),
  'getters of a result that throw': () => ({
    get content() {
      throw new Error('content')
    },
    get messages() {
      throw new Error('messages')
    },
    get text() {
      throw new Error('text')
    },
  }),
  'toJSON that throws': () => ({
    toJSON() {
      throw new Error('printed')
    },
  }),
  'toJSON that gives nothing': () => ({ messages: [], text: '', toJSON: () => undefined }),
  'toJSON that gives something else': () => ({ content: [], messages: [], toJSON: () => 5 }),
  'revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  'proxy that throws': () => {
    const refuse = () => {
      throw new Error('touched')
    }
    return new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse })
  },
  'proxy of an array that throws': () =>
    new Proxy([], {
      get: () => {
        throw new Error('touched')
      },
    }),
  thenable: () => ({ [THEN]: (resolve: (value: unknown) => void) => resolve('later') }),
  'thenable that refuses': () => ({
    [THEN]: (_: unknown, reject: (error: unknown) => void) => reject(new Error('refused')),
  }),
  'thenable that throws': () => ({
    [THEN]() {
      throw new Error('thrown')
    },
  }),
  'then that throws when read': () => ({
    get [THEN]() {
      throw new Error('read')
    },
  }),
  'promise with a then of its own': () =>
    Object.assign(Promise.resolve(1), {
      [THEN]() {
        throw new Error('own')
      },
    }),
  'object without a prototype': () => Object.create(null),
  'error whose message throws': () =>
    Object.defineProperty(new Error('x'), 'message', {
      get() {
        throw new Error('again')
      },
    }),
  'error whose message is an object': () => Object.assign(new Error('x'), { message: Object.create(null) }),
  'error whose message is a symbol': () => Object.assign(new Error('x'), { message: Symbol('m') }),
  deep: () => {
    let deep: unknown = 1
    for (let level = 0; level < 20_000; level++) deep = [deep]
    return deep
  },
  'many characters': () => 'x'.repeat(2 ** 20),
  'lone surrogates': () => '\ud800 \udfff',
  date: () => new Date(Number.NaN),
  map: () => new Map([[1, 2]]),
  bytes: () => new Uint8Array(3),
  'typed array': () => new Float64Array([1, Number.NaN]),
  'sparse array': () => Array(3),
}

/** A hostile value by its name, anywhere in what a function may give. */
export const anyValue: fc.Arbitrary<{ readonly name: string; readonly make: () => unknown }> = fc
  .tuple(
    fc.constantFrom(...Object.keys(HOSTILE)),
    fc.constantFrom<[place: string, put: (value: unknown) => unknown]>(
      ['alone', (value) => value],
      ['in an array', (value) => [value]],
      ['as content', (content) => ({ content })],
      ['as a block', (block) => ({ content: [block] })],
      ['as a text', (text) => ({ content: [{ type: 'text', text }], text, uri: 'x:y' })],
      ['as a type', (type) => ({ content: [{ type, text: '' }] })],
      ['as annotations', (annotations) => ({ content: [{ type: 'text', text: '', annotations }] })],
      ['as a resource', (resource) => ({ content: [{ type: 'resource', resource }] })],
      ['as structured content', (structuredContent) => ({ structuredContent })],
      ['as isError', (isError) => ({ content: [], isError })],
      ['as _meta', (_meta) => ({ content: [], messages: [], text: '', _meta })],
      ['as messages', (messages) => ({ messages })],
      ['as a message', (message) => ({ messages: [message] })],
      ['as a message’s content', (content) => ({ messages: [{ role: 'user', content }] })],
      ['as a blob', (blob) => ({ uri: 'x:y', blob })],
      ['as any other member', (value) => ({ content: [], messages: [], text: '', ttlMs: value, value })],
    ),
  )
  .map(([name, [place, put]]) => ({
    name: `${name} ${place}`,
    make: () => put((HOSTILE[name] as () => unknown)()), // The name is one of its keys.
  }))
