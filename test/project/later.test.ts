import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const DIST = join(import.meta.dirname, '..', '..', 'dist')
const INDEX = pathToFileURL(join(DIST, 'index.js')).href

/** Runs lines against what is published, in a process of its own; gives what they print, and which parts were read. */
async function run(lines: string): Promise<{ readonly said: unknown; readonly parts: readonly string[] }> {
  const script = `
    import { createRequire } from 'node:module'
    import * as perigee from '${INDEX}'
    const { defineServer, createTestClient } = perigee
    const echo = { name: 'echo', input: { type: 'object', properties: { text: { type: 'string' } } }, run: ({ text }) => text }
    const connect = (definition, options) => createTestClient(defineServer({ name: 's', version: '1', ...definition }), options)
    const said = await (async () => { ${lines} })()
    const parts = Object.keys(createRequire('${INDEX}').cache).map((file) => file.replace(/.*parts.(\\w+)\\.cjs/, '$1'))
    console.log(JSON.stringify({ said, parts }))
    process.exit()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return JSON.parse(stdout)
}

/** What has a part read, and what comes of it. */
const ACTS = [
  {
    part: 'budget',
    lines: `
      const run = () => 'a line of a long text\\n'.repeat(1000)
      const client = await connect({ tools: [{ name: 'long', budget: { tokens: 500 }, run }] })
      const { content } = await client.callTool('long', {})
      const { contents } = await client.read(content.at(-1).uri)
      return [content.length, contents[0].text.startsWith('a line')]`,
    said: [3, true],
  },
  {
    part: 'notices',
    lines: `
      const run = () => new Promise((resolve) => setImmediate(() => resolve('slept')))
      const client = await connect({ tools: [{ name: 'sleep', run }] })
      const { content } = await client.callTool('sleep', {}, { onProgress: () => {} })
      return content[0].text`,
    said: 'slept',
  },
  {
    part: 'context',
    lines: `
      const client = await connect({ offer: 'search', tools: [echo] })
      const { structuredContent } = await client.callTool('search', { query: 'echo' })
      const { content } = await client.callTool('call', { name: 'echo', arguments: { text: 'hi' } })
      return [structuredContent.tools[0].name, content[0].text]`,
    said: ['echo', 'hi'],
  },
  {
    part: 'validator',
    lines: `return (await (await connect({ tools: [echo] })).callTool('echo', { text: 5 })).isError`,
    said: true,
  },
  {
    part: 'refusing',
    lines: `
      const client = await connect({ tools: [{ name: 'echo', run: () => 'hi' }] })
      return client.callTool('ecko', {}).catch(({ code }) => code)`,
    said: -32602,
  },
  {
    part: 'results',
    lines: `
      const run = () => ({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] })
      const client = await connect({ tools: [{ name: 'draw', run }] })
      return (await client.callTool('draw', {})).content[0].type`,
    said: 'image',
  },
  {
    part: 'tasks',
    lines: `
      const client = await connect({ tools: [{ name: 'long', task: 'optional', run: () => 'done' }] }, { revision: '2025-11-25' })
      const { task } = await client.request('tools/call', { name: 'long', arguments: {}, task: {} })
      return (await client.request('tasks/result', { taskId: task.taskId })).content[0].text`,
    said: 'done',
  },
  {
    part: 'patterns',
    lines: `
      const input = { type: 'object', properties: { text: { type: 'string', pattern: '^[ab]+$' } } }
      const client = await connect({ tools: [{ ...echo, input }] })
      const isRefused = async (text) => (await client.callTool('echo', { text })).isError === true
      return [await isRefused('abba'), await isRefused('abc')]`,
    said: [false, true],
  },
  {
    part: 'templates',
    lines: `
      const read = ({ name }) => 'Hello, ' + name
      const client = await connect({ templates: [{ uriTemplate: 'hello://{name}', name: 'hello', read }] })
      return (await client.read('hello://Ann')).contents[0].text`,
    said: 'Hello, Ann',
  },
  {
    part: 'asking',
    lines: `
      const schema = { type: 'object', properties: {} }
      const run = (_, call) => {
        const asked = call.ask({ drink: perigee.elicit({ message: 'Which?', schema }) })
        return asked instanceof perigee.Needs ? asked : asked.drink.action
      }
      const answers = { 'elicitation/create': () => ({ action: 'decline' }) }
      const client = await connect({ tools: [{ name: 'order', run }] }, { answers })
      return (await client.callTool('order', {})).content[0].text`,
    said: 'decline',
  },
  {
    part: 'methods',
    lines: `
      const client = await connect({ resources: [{ uri: 'a://b', name: 'b', read: () => 'here' }] })
      const { contents } = await client.read('a://b')
      const isTold = await client.read('a://c').catch((error) => error instanceof perigee.ErrorReply)
      return [contents[0].text, isTold]`,
    said: ['here', true],
  },
  {
    part: 'telemetry',
    lines: `
      const told = []
      const sink = { take: (record) => told.push(record.kind) }
      const client = await connect({ tools: [echo], modules: [perigee.telemetry({ sinks: [sink] })] })
      await client.callTool('echo', { text: 'hi' })
      return told.length > 0`,
    said: true,
  },
  {
    part: 'limits',
    lines: `
      const client = await connect({ tools: [echo], middleware: [perigee.rateLimit({ perMinute: 1 })] })
      await client.callTool('echo', { text: 'hi' })
      return client.callTool('echo', { text: 'hi' }).then(() => 'let in', (error) => error.code)`,
    said: 429,
  },
  {
    part: 'http',
    lines: `try { perigee.oauth({ issuer: 'nowhere' }) } catch (error) { return error instanceof TypeError }`,
    said: true,
  },
  {
    part: 'serving',
    lines: `
      const server = defineServer({ name: 's', version: '1' })
      try { perigee.createFetchHandler(server, { path: 'mcp' }) } catch (error) { return error instanceof TypeError }`,
    said: true,
  },
  {
    part: 'stores',
    lines: `return perigee.openStore('memory:') instanceof perigee.MemoryStore`,
    said: true,
  },
  {
    part: 'kept',
    lines: `return typeof perigee.keepOffers({ name: 'k', list: 'tools', define: () => echo })`,
    said: 'object',
  },
]

describe('what a small server does without', () => {
  it('is not read by one that answers', async () => {
    const lines = `return (await (await connect({}, { revision: '2025-11-25' })).request('ping'))`
    expect(await run(lines)).toEqual({ said: {}, parts: [] })
  })

  it('is not read when a server is defined whose schemas are everyday ones', async () => {
    const lines = `
      const every = { type: 'string', minLength: 1, maxLength: 9, enum: ['a'], default: 'a', title: 'A', format: 'date' }
      const properties = { every, one: { const: 1, minimum: 0, exclusiveMaximum: 2 }, many: { type: ['array', 'null'], items: every, maxItems: 3 } }
      const input = { type: 'object', properties, required: ['every'], additionalProperties: false }
      defineServer({ name: 's', version: '1', tools: [{ ...echo, input, output: input }] })`
    expect(await run(lines)).toEqual({ parts: [] })
  })

  it('is read for the checks to come as soon as a client has been greeted', async () => {
    const lines = `
      await connect({ tools: [echo] }, { revision: '2025-11-25' })
      while (Object.keys(createRequire('${INDEX}').cache).length === 0) await new Promise((resolve) => setTimeout(resolve, 1))`
    expect(await run(lines)).toEqual({ parts: ['validator'] })
  })

  it.each(ACTS)('is read when it is needed: $part', async ({ part, lines, said }) => {
    const found = await run(lines)
    expect(found.said).toEqual(said)
    expect(found.parts).toContain(part)
  })

  it('is all tried here', () => {
    const parts = readdirSync(join(DIST, 'parts')).filter((file) => file.endsWith('.cjs'))
    expect(parts.map((file) => file.replace('.cjs', '')).sort()).toEqual(ACTS.map(({ part }) => part).sort())
  })
})
