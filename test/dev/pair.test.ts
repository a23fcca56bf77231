import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isAlive, PortHost, Project, serverFile } from './dev-host.ts'

let project: Project
let host: PortHost
let client: Client

beforeEach(() => {
  project = new Project()
})

afterEach(async () => {
  client.onclose = () => {}
  await client.close()
  await host.kill()
  project.remove()
})

/** A client of the pair, which is what the official SDK has for it: it does not come back by itself. */
async function open(text: string, args: readonly string[] = []) {
  project.save('server.mjs', text)
  host = new PortHost(project, args)
  await host.listening()
  const heard: string[] = []
  client = new Client({ name: 'old', version: '1' }, { capabilities: { elicitation: {} } })
  client.onclose = () => heard.push('closed')
  client.onerror = ({ message }) => heard.push(message)
  client.fallbackNotificationHandler = async ({ method }) => void heard.push(method)
  await client.connect(new SSEClientTransport(new URL(`http://127.0.0.1:${host.port}/sse`)))
  return { heard }
}

async function call(name: string): Promise<unknown> {
  const { content } = await client.callTool({ name, arguments: {} })
  return (content as readonly { readonly text?: string }[])[0]?.text
}

async function reload(text: string): Promise<void> {
  const before = host.stderr.match(/reloaded in/g)?.length ?? 0
  project.save('server.mjs', text)
  await host.says(/reloaded in \d+ ms/, before + 1)
}

it('keeps clients of the SSE pair connected, and tells them of changes', async () => {
  const { heard } = await open(serverFile({ say: 'return "one"' }))
  expect(await call('say')).toBe('one')
  await reload(serverFile({ say: 'return "two"' }))
  expect(await call('say')).toBe('two')
  await reload(serverFile({ say: 'return "three"', more: 'return "more"' }))
  expect(await call('more')).toBe('more')
  project.save('server.mjs', 'export default {')
  await host.says('not reloaded')
  expect(await call('say')).toBe('three')
  expect(heard).toEqual(['notifications/tools/list_changed', 'notifications/message'])
})

it('does not say of those that go on with the new code that they are closed', async () => {
  await open(serverFile({ say: 'return String(process.pid)' }), ['--log-level', 'info'])
  const old = Number(await call('say'))
  await reload(serverFile({ say: 'return "two"' }))
  expect(await call('say')).toBe('two')
  await host.until(() => (isAlive(old) ? undefined : true))
  expect(await call('say')).toBe('two')
  expect(host.stderr).not.toContain('"event":"closed"')
})

it('lets calls of theirs finish where they began, and takes answers to whoever asked', async () => {
  const asks = (word: string) =>
    serverFile({
      ask: `const asked = call.ask({ a: elicit({ message: '${word}?', schema: { type: 'object', properties: { b: { type: 'string' } } } }) })
        return asked instanceof Needs ? asked : '${word} ' + asked.a.content.b`,
    })
  const { heard } = await open(asks('old'))
  const answers: (() => void)[] = []
  client.setRequestHandler(ElicitRequestSchema, async ({ params: { message } }) => {
    await new Promise<void>((resolve) => answers.push(resolve))
    return { action: 'accept', content: { b: message } }
  })
  const asked = (count: number) => host.until(() => (answers.length === count ? true : undefined))
  const old = call('ask')
  await asked(1)
  await reload(asks('new'))
  const fresh = call('ask')
  await asked(2)
  for (const answer of answers) answer()
  expect(await Promise.all([old, fresh])).toEqual(['old old?', 'new new?'])
  expect(heard).toEqual([])
})

it('answers what a crash left unanswered with an error, and goes on', async () => {
  const { heard } = await open(serverFile({ say: 'return "well"', die: 'process.exit(7)' }))
  await expect(call('die')).rejects.toThrow('the process that served it has ended (7)')
  expect(await call('say')).toBe('well')
  expect(heard).toEqual(['notifications/message'])
})

it('answers a post as the child does that judges it', async () => {
  await open(serverFile({ say: 'return "well"' }))
  const stream = await fetch(`http://127.0.0.1:${host.port}/sse`, {
    headers: { accept: 'text/event-stream' },
  })
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  const path = /data: (.*)/.exec((await reader?.read())?.value ?? '')?.[1] ?? ''
  const post = async (headers: { readonly [name: string]: string }, body: string) => {
    const response = await fetch(`http://127.0.0.1:${host.port}${path}`, { method: 'POST', headers, body })
    return response.status
  }
  const json = { 'content-type': 'application/json' }
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  expect(await post(json, ping)).toBe(202)
  expect(await post({ ...json, origin: 'https://evil.example' }, ping)).toBe(403)
  expect(await post({ 'content-type': 'text/plain' }, ping)).toBe(415)
  expect(await post(json, '{')).toBe(400)
  await reader?.cancel()
})
