import type { JsonObject, Revision, Server } from '../../src/kernel/index.ts'
import { META } from '../../src/kernel/index.ts'
import { createEverything } from '../everything/everything.ts'
import { longWork } from '../everything/long-work.ts'
import { officialExamples } from '../everything/official-examples.ts'
import { type Heard, Recorder } from './recorder.ts'

const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } }

const ANSWERS = {
  'elicitation/create': { action: 'accept', content: { name: 'Ada', age: 36 } },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'small' },
  'roots/list': { roots: [{ uri: 'file:///project', name: 'project' }] },
}

const ASKING = ['ask-name', 'ask-page', 'ask-model', 'ask-roots']

const TALKS = new Map<Revision, Promise<readonly Heard[]>>()

/** All that the server with everything says in a long conversation in one revision. */
export function converse(revision: Revision): Promise<readonly Heard[]> {
  const known = TALKS.get(revision) ?? talk(revision)
  TALKS.set(revision, known)
  return known
}

async function talk(revision: Revision): Promise<readonly Heard[]> {
  const server = createEverything([longWork, officialExamples])
  const able = new Recorder(server, revision, { capabilities: CAPABILITIES, answers: ANSWERS })
  const unable = new Recorder(server, revision, { capabilities: {}, answers: {} })
  const silent = new Recorder(server, revision, { capabilities: CAPABILITIES, answers: {} })
  const all = [able, unable, silent]
  for (const client of all) await client.open()
  await WAYS[revision.opening](able)
  await listEverything(able)
  await useEverything(able)
  await hearOfChanges(able, server)
  if (revision.tasks === 'core') await workOnTasks(able)
  await beRefused(able)
  for (const name of ASKING) await unable.request('tools/call', { name })
  if (revision.asking === 'request') await giveUp(silent)
  server.end()
  await settled()
  for (const client of all) client.close()
  return all.flatMap((client) => client.heard)
}

/** What only one of the two eras has. */
const WAYS: Record<Revision['opening'], (client: Recorder) => Promise<void>> = {
  handshake: async (client) => {
    await client.request('ping')
    await client.request('logging/setLevel', { level: 'debug' })
    await client.request('logging/setLevel', { level: 'loud' })
    await client.request('initialize', { protocolVersion: client.revision.id })
    client.notify('notifications/roots/list_changed')
  },
  'every-request': async (client) => {
    await client.request('tools/list', {}, { [META.protocolVersion]: '1900-01-01' })
    await client.request('tools/list', {}, { [META.clientCapabilities]: 'none' })
    await client.request('tools/list', {}, { [META.logLevel]: 'loud' })
    await client.request('initialize', {})
  },
}

/** Tasks as 2025-11-25 has them. */
async function workOnTasks(client: Recorder): Promise<void> {
  const begin = async (name: string) => {
    const { result } = await client.request('tools/call', { name, task: { ttl: 60_000 } })
    return ((result as JsonObject)['task'] as JsonObject)['taskId']
  }
  const taskId = await begin('long-form')
  await client.request('tasks/get', { taskId })
  await client.request('tasks/result', { taskId })
  await client.request('tasks/list')
  await client.request('tasks/cancel', { taskId: await begin('long-wait') })
  await client.request('tasks/get', { taskId: 'no such task' })
  await client.request('tools/call', { name: 'long-form' })
}

async function listEverything(client: Recorder): Promise<void> {
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
    let cursor: unknown
    do {
      const { result } = await client.request(method, cursor === undefined ? {} : { cursor })
      cursor = (result as JsonObject)['nextCursor']
    } while (cursor !== undefined)
  }
}

async function useEverything(client: Recorder): Promise<void> {
  await client.request('tools/call', { name: 'weather', arguments: { city: 'Bern' } })
  await client.request('tools/call', { name: 'primes' })
  await client.request('tools/call', { name: 'blocks', arguments: {} })
  await client.request('tools/call', { name: 'chatter' }, { [META.logLevel]: 'debug' })
  for (const progressToken of [0, 'a token']) {
    await client.request('tools/call', { name: 'count' }, { progressToken })
  }
  for (const name of [...ASKING, 'ask-twice']) await client.request('tools/call', { name })
  for (const uri of ['today', 'bytes', 'pages', 'secret', 'broken', 'missing']) {
    await client.request('resources/read', { uri: `note://${uri}` })
  }
  await client.request('resources/read', { uri: 'city://peru/Lima' })
  await client.request('resources/read', { uri: 'city://peru/Atlantis' })
  await client.request('prompts/get', { name: 'travel', arguments: { to: 'peru', days: '9' } })
  await client.request('prompts/get', { name: 'album' })
  await client.request('prompts/get', { name: 'interview' })
  await client.request('completion/complete', {
    ref: { type: 'ref/prompt', name: 'travel' },
    argument: { name: 'to', value: 'p' },
  })
  await client.request('completion/complete', {
    ref: { type: 'ref/resource', uri: 'city://{country}/{city}' },
    argument: { name: 'city', value: '' },
    context: { arguments: { country: 'france' } },
  })
}

async function hearOfChanges(client: Recorder, server: Server): Promise<void> {
  await CHANGES[client.revision.opening](client)
  server.tools.add({ name: 'late', run: () => 'late' })
  server.resources.add({ uri: 'note://late', name: 'late', read: () => 'late' })
  server.prompts.add({ name: 'late', render: () => 'late' })
  server.updated('note://today')
  server.updated('city://peru/Lima')
  await client.hears('notifications/prompts/list_changed')
  server.tools.remove('late')
  server.resources.remove('note://late')
  server.prompts.remove('late')
  await settled()
  if (client.revision.opening === 'handshake') {
    await client.request('resources/unsubscribe', { uri: 'note://today' })
  }
}

const CHANGES: Record<Revision['opening'], (client: Recorder) => Promise<void>> = {
  handshake: async (client) => {
    await client.request('resources/subscribe', { uri: 'note://today' })
    await client.request('resources/subscribe', { uri: 'city://peru/Lima' })
    await client.request('resources/subscribe', { uri: 'note://missing' })
  },
  'every-request': async (client) => {
    const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }
    const resourceSubscriptions = ['note://today', 'city://peru/Lima', 'note://missing']
    client.send('subscriptions/listen', { notifications: { ...all, resourceSubscriptions } })
    client.send('subscriptions/listen', { notifications: {} })
    const { id } = client.send('subscriptions/listen', { notifications: all })
    client.notify('notifications/cancelled', { requestId: id, reason: 'enough' })
    await client.request('subscriptions/listen', { notifications: { resourceSubscriptions: 'note://today' } })
  },
}

async function beRefused(client: Recorder): Promise<void> {
  for (const how of ['throw', 'fault', 'result', 'later']) {
    await client.request('tools/call', { name: 'fail', arguments: { how } })
  }
  await client.request('tools/call', { name: 'misfit' })
  await client.request('tools/call', { name: 'weather', arguments: { city: 5, days: 0, more: 1 } })
  await client.request('tools/call', { name: 'no_such_tool' })
  await client.request('tools/call', { name: 7 })
  await client.request('tools/call', { name: 'count', arguments: [] })
  await client.request('prompts/get', { name: 'no_such_prompt' })
  await client.request('prompts/get', { name: 'travel', arguments: { days: 5 } })
  await client.request('completion/complete', { ref: { type: 'ref/nothing' }, argument: {} })
  await client.request('tools/list', { cursor: 'not one of ours' })
  await client.request('no/such/method')
  client.notify('notifications/nobody/knows', { any: 'thing' })
  for (const text of UNREADABLE) client.sendText(text)
  const pings = JSON.stringify([
    { jsonrpc: '2.0', id: 'one', method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/nobody/knows' },
    { jsonrpc: '2.0', id: 'two', method: 'tools/call', params: { name: 'primes' } },
    { jsonrpc: '2.0', id: 'three', method: 'initialize' },
    'no message',
  ])
  client.sendText(pings, { one: 'ping', two: 'tools/call', three: 'initialize' })
  await settled()
}

const UNREADABLE = [
  '{',
  '',
  'null',
  '"text"',
  '[]',
  '{}',
  '{"jsonrpc":"1.0","id":"old","method":"ping"}',
  '{"jsonrpc":"2.0","id":"numb","method":5}',
  '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
  '{"jsonrpc":"2.0","id":"list","method":"ping","params":[]}',
  '{"jsonrpc":"2.0","id":"meta","method":"tools/list","params":{"_meta":5}}',
  `${'['.repeat(300)}${']'.repeat(300)}`,
]

/** A call that is cancelled while the server waits for an answer takes its question back. */
async function giveUp(client: Recorder): Promise<void> {
  const { id } = client.send('tools/call', { name: 'ask-roots' })
  await client.hears('roots/list')
  client.notify('notifications/cancelled', { requestId: id })
  await client.hears('notifications/cancelled')
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
