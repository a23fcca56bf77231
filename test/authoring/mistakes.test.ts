import * as v from 'valibot'
import { expect, it } from 'vitest'
import { z } from 'zod'
import {
  apiKeys,
  createFetchHandler,
  createNodeHandler,
  createTestClient,
  defineServer,
  elicit,
  elicitUrl,
  Fault,
  jsonLines,
  MemoryStore,
  needs,
  oauth,
  openStore,
  parseKeys,
  rateLimit,
  sample,
  serveHttp,
  serveStdio,
  telemetry,
  timeout,
} from '../../src/index.ts'

const run = () => 'ok'
const read = () => 'ok'
const render = () => 'ok'

/** What JavaScript, or a cast, lets an author write. */
const server = (definition: object) => () =>
  defineServer({ name: 's', version: '1', ...definition } as Parameters<typeof defineServer>[0])
const tool = (members: object) => server({ tools: [{ name: 'add', run, ...members }] })
const prompt = (members: object) => server({ prompts: [{ name: 'review', render, ...members }] })
const resource = (members: object) => server({ resources: [{ uri: 'a://b', name: 'b', read, ...members }] })
const loose = (callee: unknown, ...given: readonly unknown[]) => {
  return () => (callee as (...given: readonly unknown[]) => unknown)(...given)
}

it.each<[string, () => unknown, string]>([
  ['inputSchema', tool({ inputSchema: {} }), 'The tool add: there is no "inputSchema". Did you mean input?'],
  ['parameters', tool({ parameters: {} }), 'The tool add: there is no "parameters". Did you mean input?'],
  ['outputSchema', tool({ outputSchema: {} }), 'there is no "outputSchema". Did you mean output?'],
  ['handler', tool({ run: undefined, handler: run }), 'there is no "handler". Did you mean run?'],
  ['a letter', tool({ decription: 'x' }), 'there is no "decription". Did you mean description?'],
  ['something else', tool({ colour: 1 }), 'there is no "colour". Expected: name, title, description'],
  [
    'task',
    tool({ task: 'always' }),
    `The tool add: task: expected 'optional' or 'required', got the string "always"`,
  ],
  [
    'a description',
    tool({ description: 5 }),
    'The tool add: description: expected a string, got the number 5',
  ],
  ['scopes', tool({ scopes: 'files' }), 'The tool add: scopes: expected an array, got the string "files"'],
  [
    'one scope',
    tool({ scopes: [1] }),
    'The tool add: scopes[0]: expected a string without spaces, got the number 1',
  ],
  [
    'a hint',
    tool({ annotations: { readOnly: true } }),
    'annotations: there is no "readOnly". Expected: title, readOnlyHint',
  ],
  [
    'a hint of another type',
    tool({ annotations: { readOnlyHint: 'yes' } }),
    'annotations.readOnlyHint: expected true or false',
  ],
  ['an icon', tool({ icons: [{ url: 'x' }] }), 'The tool add: icons[0]: there is no "url". Expected: src'],
  ['no icon', tool({ icons: [{}] }), 'The tool add: icons[0].src: expected a string, got nothing'],
  [
    'no name',
    server({ tools: [{ title: 'x', run }] }),
    'A tool needs a name: expected a string, got nothing in { title, run }',
  ],
  ['no function', tool({ run: 'echo' }), 'The tool add: run: expected a function, got the string "echo"'],
  ['no function at all', tool({ run: undefined }), 'The tool add needs a function run(), got nothing'],
  ['a tool that is a function', server({ tools: [run] }), 'A tool must be an object, got a function'],
  [
    'a shape of zod',
    tool({ input: { a: z.string() } }),
    'Tool add: its input schema is not usable: expected a schema, got an object of schemas: wrap it in one, with zod z.object({ a: … })',
  ],

  [
    'complete at an argument',
    prompt({ arguments: [{ name: 'code', complete: () => [] }] }),
    'The prompt review: arguments[0]: there is no "complete". Suggestions stand beside arguments: complete: { name:',
  ],
  [
    'arguments as an object',
    prompt({ arguments: { code: {} } }),
    'The prompt review: arguments: expected an array, got an object',
  ],
  [
    'an argument without a name',
    prompt({ arguments: [{}] }),
    'The prompt review: arguments[0].name: expected a string, got nothing',
  ],
  [
    'argsSchema',
    prompt({ argsSchema: {} }),
    'The prompt review: there is no "argsSchema". Did you mean arguments?',
  ],
  ['run for render', prompt({ render: undefined, run }), 'there is no "run". Did you mean render?'],
  [
    'a completer that is none',
    prompt({ arguments: [{ name: 'a' }], complete: { a: ['x'] } }),
    'Prompt review: complete.a: expected a function, got an array',
  ],

  [
    'handler of a resource',
    resource({ read: undefined, handler: read }),
    'The resource a://b: there is no "handler". Did you mean read?',
  ],
  ['mimetype', resource({ mimetype: 'text/plain' }), 'there is no "mimetype". Did you mean mimeType?'],
  [
    'a resource without a name',
    resource({ name: undefined }),
    'The resource a://b: name: expected a string, got nothing',
  ],
  [
    'a cache',
    resource({ cache: { ttlMs: '5' } }),
    'The resource a://b: cache.ttlMs: expected a number, got the string "5"',
  ],
  [
    'a template among resources',
    server({ resources: [{ uri: 'a://{b}', uriTemplate: 'a://{b}', name: 'b', read }] }),
    'there is no "uriTemplate". A template is one of templates',
  ],
  [
    'uri of a template',
    server({ templates: [{ uriTemplate: 'a://{b}', uri: 'x', name: 'b', read }] }),
    'there is no "uri". Did you mean uriTemplate?',
  ],

  ['no version', server({ version: undefined }), 'defineServer: version: expected a string, got nothing'],
  ['no name of a server', server({ name: undefined }), 'defineServer: name: expected a string, got nothing'],
  ['nothing', loose(defineServer), 'defineServer: expected an object, got nothing'],
  ['a setting', server({ pagesize: 5 }), 'defineServer: there is no "pagesize". Did you mean pageSize?'],
  [
    'another setting',
    server({ port: 8181 }),
    'defineServer: there is no "port". Where it listens is said where it is served: serveHttp(server, { port })',
  ],
  [
    'resourceTemplates',
    server({ resourceTemplates: [] }),
    'there is no "resourceTemplates". Did you mean templates?',
  ],
  [
    'a revision by its name',
    server({ revisions: ['2025-06-18'] }),
    'defineServer: revisions[0]: expected a revision of your own, an object, got the string "2025-06-18". Those of MCP are all spoken',
  ],
  [
    'a store as text',
    server({ store: 'x.db' }),
    'store: expected redis://HOST, postgres://USER:PASSWORD@HOST/DATABASE, sqlite:PATH or memory:, got "x.db". For a file: sqlite:x.db',
  ],
  [
    'a class for a store',
    server({ store: MemoryStore }),
    "defineServer: store: expected a store or a URL such as 'sqlite:PATH', got a function",
  ],
  ['tools as an object', server({ tools: { run } }), 'defineServer: tools: expected an array, got an object'],
  [
    'a module that was not called',
    server({ modules: [function files() {}] }),
    'defineServer: modules[0]: expected a module, got a function: call it, files(…)',
  ],
  [
    'a module without a name',
    server({ modules: [{ tools: [] }] }),
    'defineServer: modules[0].name: expected a string, got nothing',
  ],
  [
    'a member of a module',
    server({ modules: [{ name: 'm', tool: [] }] }),
    'modules[0]: there is no "tool". Did you mean tools?',
  ],
  [
    'a middleware',
    server({ middleware: [{}] }),
    'defineServer: middleware[0]: expected a function, got an object',
  ],
  ['a log level', server({ logLevel: 'warn' }), `defineServer: logLevel: expected 'debug' or`],
  [
    'a page size',
    server({ pageSize: 0 }),
    'defineServer: pageSize: expected a whole number above 0, got the number 0',
  ],
  [
    'a dialect',
    server({ dialect: { badArgs: 'fault' } }),
    'defineServer: dialect: there is no "badArgs". Expected: ping, ids',
  ],
  [
    'a choice of a dialect',
    server({ dialect: { badArguments: 'result' } }),
    `dialect.badArguments: expected 'as-revision' or 'fault' or 'tool-result'`,
  ],
  [
    'a code',
    server({ dialect: { codes: { unknowTool: -1 } } }),
    'dialect.codes: there is no "unknowTool". Did you mean unknownTool?',
  ],
  ['a budget', server({ budgets: { maxBody: 5 } }), 'defineServer: budgets: there is no "maxBody". '],
  [
    'a budget as text',
    server({ budgets: { maxBodyBytes: '5 MB' } }),
    'defineServer: budgets.maxBodyBytes: expected a whole number from 0 on, got the string "5 MB"',
  ],
  ...['5', -1, 1.5, null, true].map((maxBodyBytes): [string, () => unknown, string] => [
    `a budget of ${JSON.stringify(maxBodyBytes)}`,
    server({ budgets: { maxBodyBytes } }),
    'defineServer: budgets.maxBodyBytes: expected a whole number from 0 on, got ',
  ]),
  ['a secret', server({ secrets: 'abc' }), 'defineServer: secrets: expected an array, got the string "abc"'],

  [
    'a fault',
    () => new Fault('InvalidParams' as never),
    'new Fault: there is no fault of this name, the string "InvalidParams". Did you mean invalidParams?',
  ],
  [
    'a fault without a name',
    () => new (Fault as unknown as new () => Fault)(),
    'new Fault: no name was given. Expected one of parseError, ',
  ],
  [
    'a fault by its code',
    () => new Fault(-32602 as never, 'no'),
    'new Fault: there is no fault of this name, the number -32602',
  ],
  [
    'a nested form',
    loose(elicit, { message: 'm', schema: { type: 'object', properties: { a: { type: 'object' } } } }),
    'elicit: schema.properties.a: a form is flat: expected string, number, integer, boolean, or an array of choices',
  ],
  [
    'a form of a library that cannot write it',
    loose(elicit, { message: 'm', schema: v.object({}) }),
    'this valibot schema cannot be written as JSON Schema: wrap it in toStandardJsonSchema() of @valibot/to-json-schema',
  ],
  [
    'a nested form of zod',
    loose(elicit, { message: 'm', schema: z.object({ a: z.object({}) }) }),
    'elicit: schema.properties.a: a form is flat: expected string, number, integer, boolean, or an array of choices',
  ],
  [
    'a form of zod that is no object',
    loose(elicit, { message: 'm', schema: z.string() }),
    'elicit: schema: expected { type: \'object\', properties: { … } }, got type "string"',
  ],
  [
    'a form of zod fields',
    loose(elicit, { message: 'm', schema: { type: 'object', properties: { a: z.string() } } }),
    'elicit: schema.properties.a: expected a JSON Schema, got a schema of a library',
  ],
  [
    'requestedSchema',
    loose(elicit, { message: 'm', requestedSchema: {} }),
    `elicit: schema: expected { type: 'object', properties: { … } }, got nothing`,
  ],
  ['no question', loose(elicit), 'elicit: message: expected a string, got nothing'],
  [
    'a page without an address',
    loose(elicitUrl, { message: 'm' }),
    'elicitUrl: url: expected a string, got nothing',
  ],
  [
    'a sample of text',
    loose(sample, { messages: 'hi', maxTokens: 5 }),
    'sample: messages: expected an array, got the string "hi"',
  ],
  [
    'a sample without a limit',
    loose(sample, { messages: [] }),
    'sample: maxTokens: expected a number, got nothing',
  ],
  [
    'a need that is none',
    loose(needs, { a: 'What?' }),
    'needs: a: expected a question of elicit(), elicitUrl(), sample() or listRoots(), got the string "What?"',
  ],
  ['no needs', loose(needs), 'needs: questions: expected an object, got nothing'],

  ['no rate', loose(rateLimit), 'rateLimit: expected an object, got nothing'],
  ['an empty rate', loose(rateLimit, {}), 'rateLimit: expected { perMinute } or { perSecond } above 0'],
  [
    'a rate by another name',
    loose(rateLimit, { perHour: 5 }),
    'rateLimit: there is no "perHour". Expected: perSecond, perMinute',
  ],
  ['no time', loose(timeout), 'timeout: expected an object, got nothing'],
  ['a bare time', loose(timeout, 5000), 'timeout: expected an object, got the number 5000'],
  [
    'a time by another name',
    loose(timeout, { seconds: 5 }),
    'timeout: there is no "seconds". Expected: ms, methods',
  ],
  [
    'a bare key',
    loose(apiKeys, { keys: ['a'] }),
    'apiKeys: keys[0]: expected { name, key } or { name, sha256 }, got a string',
  ],
  [
    'a key without a name',
    loose(apiKeys, { keys: [{ key: 'a' }] }),
    'apiKeys: keys[0].name: expected a string',
  ],
  [
    'a name without a key',
    loose(apiKeys, { keys: [{ name: 'a' }] }),
    'apiKeys: keys[0]: expected either key or sha256',
  ],
  ['keys as text', loose(apiKeys, { keys: 'a=b' }), 'apiKeys: keys: expected an array'],
  ['no keys', loose(apiKeys), 'apiKeys: expected an object, got nothing'],
  ['keys of nothing', loose(parseKeys), 'keys: expected a string, got nothing'],
  [
    'no issuer',
    loose(oauth, { resource: 'https://a.example' }),
    'oauth: issuer: expected a string, got nothing',
  ],
  [
    'an audience',
    loose(oauth, { issuer: 'https://a.example', audience: 'x' }),
    'oauth: there is no "audience". Did you mean resource?',
  ],
  ['no sinks', loose(telemetry), 'telemetry: expected an object, got nothing'],
  [
    'a writer',
    loose(jsonLines, { write: process.stderr }),
    'jsonLines: write: expected a function, got an object',
  ],
  ['no store', loose(openStore), 'openStore: expected a string, got nothing'],

  [
    'a definition served on stdio',
    loose(serveStdio, { name: 's', version: '1' }),
    'serveStdio: expected a server made by defineServer(), got an object: write serveStdio(defineServer({ … }))',
  ],
  [
    'a definition for fetch',
    loose(createFetchHandler, { name: 's' }),
    'createFetchHandler: expected a server made by defineServer(), got an object: write createFetchHandler(defineServer(',
  ],
  [
    'an option for fetch',
    () => createFetchHandler(server({})(), { pth: '/x' } as never),
    'createFetchHandler: there is no "pth". Did you mean path?',
  ],
  [
    'an option for a handler of Node',
    () => createNodeHandler(server({})(), { pth: '/x' } as never),
    'createNodeHandler: there is no "pth". Did you mean path?',
  ],
  [
    'an option for stdio',
    () => serveStdio(server({})(), { finishMs: 'soon' } as never),
    'serveStdio: finishMs: expected a number, got the string "soon"',
  ],
])('%s', (_what, mistake, message) => {
  expect(mistake).toThrow(message)
})

it.each<[string, () => Promise<unknown>, string]>([
  [
    'a definition served over HTTP',
    () => serveHttp({ name: 's' } as never),
    'serveHttp: expected a server made by defineServer(), got an object: write serveHttp(defineServer({ … }))',
  ],
  [
    'nothing served over HTTP',
    () => serveHttp(undefined as never),
    'serveHttp: expected a server made by defineServer(), got nothing',
  ],
  [
    'an option for HTTP',
    () => serveHttp(server({})(), { prot: 1 } as never),
    'serveHttp: there is no "prot". Did you mean port?',
  ],
  [
    'hosts as text',
    () => serveHttp(server({})(), { allowedHosts: 'a' } as never),
    'serveHttp: allowedHosts: expected an array, got the string "a"',
  ],
  [
    'a definition tested',
    () => createTestClient({ name: 's' } as never),
    'createTestClient: expected a server made by defineServer()',
  ],
  [
    'an option of the test client',
    () => createTestClient(server({})(), { answer: {} } as never),
    'createTestClient: there is no "answer". Did you mean answers?',
  ],
  [
    'a name as the caller of the test client',
    () => createTestClient(server({})(), { principal: 'ann' } as never),
    'createTestClient: principal: expected { id, scopes? }, a plain object, got a string',
  ],
  [
    'a caller of the test client whose scopes are misspelt',
    () => createTestClient(server({})(), { principal: { id: 'ann', scope: ['user'] } } as never),
    'createTestClient: principal: there is no "scope". Did you mean scopes?',
  ],
])('%s', async (_what, mistake, message) => {
  await expect(mistake()).rejects.toThrow(message)
})

it('an address that is undefined is not given, so that nothing listens on every address by mistake', async () => {
  const listening = await serveHttp(server({})(), { host: undefined as never, port: 0 })
  expect(listening.url).toContain('http://127.0.0.1:')
  await listening.close(0)
})

it('what belongs to a class of the author’s own is left alone', () => {
  class Counter {
    readonly name = 'count'
    readonly description = 'Count'
    counted = 0
    run = () => String(++this.counted)
  }
  expect(server({ tools: [new Counter()] })().tools.has('count')).toBe(true)
})

it.each<[string, unknown, string]>([
  [
    'an unknown block',
    { content: [{ type: 'txt', text: 'x' }] },
    'The tool t gave content[0].type: expected one of text, image, audio, resource, resource_link, got the string "txt"',
  ],
  [
    'a text without text',
    { content: [{ type: 'text' }] },
    'The tool t gave content[0].text: expected a string, got nothing',
  ],
  [
    'an image without a type',
    { content: [{ type: 'image', data: 'AA==' }] },
    'The tool t gave content[0].mimeType: expected a string, got nothing',
  ],
  [
    'a resource that is none',
    { content: [{ type: 'resource', resource: 'x' }] },
    'The tool t gave content[0].resource: expected { uri, text } or { uri, blob }',
  ],
  [
    'a link without a name',
    { content: [{ type: 'resource_link', uri: 'a://b' }] },
    'The tool t gave content[0].name: expected a string, got nothing',
  ],
])('%s in a result is the tool’s failure', async (_what, returned, text) => {
  for (const given of [() => returned, async () => returned]) {
    const client = await createTestClient(server({ tools: [{ name: 't', run: given }] })())
    expect(await client.callTool('t')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(text) }],
    })
  }
})

it.each<[string, unknown, string]>([
  ['nothing', undefined, 'A prompt must give a string or messages, got nothing'],
  [
    'bare text',
    [{ role: 'user', content: 'hi' }],
    'The prompt p gave a message.content: expected a content block, got the string "hi"',
  ],
  [
    'another role',
    [{ role: 'system', content: { type: 'text', text: 'x' } }],
    'The prompt p gave a message.role: expected user or assistant, got the string "system"',
  ],
  ['texts', ['hi'], 'The prompt p gave a message: expected { role, content }, got the string "hi"'],
])('%s from a prompt is told to whoever observes', async (_what, given, message) => {
  const heard: unknown[] = []
  const observe = (event: { readonly kind: string; readonly error?: unknown }) => heard.push(event.error)
  const client = await createTestClient(server({ observe, prompts: [{ name: 'p', render: () => given }] })())
  await expect(client.request('prompts/get', { name: 'p' })).rejects.toThrow('Internal error')
  expect(heard.map(String).join()).toContain(message)
})

it('contents may be wrapped as the protocol wraps them', async () => {
  const wrapped = { contents: [{ uri: 'a://b', text: 'x' }] }
  const client = await createTestClient(resource({ read: () => wrapped })())
  expect(await client.request('resources/read', { uri: 'a://b' })).toMatchObject(wrapped)
})
