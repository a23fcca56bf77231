import type { JsonObject } from '../../src/kernel/index.ts'
import type { Revision } from '../../src/kernel/revisions/revision.ts'
import type { Client, Message } from './client.ts'
import type { ServerName } from './server.ts'

/** Every method but the one a conversation opens with, and how a client comes by a result of it. */
export const METHODS: { readonly [method: string]: (client: Client) => Promise<Message> } = {
  'server/discover': (client) => client.ask('server/discover'),
  ping: (client) => client.ask('ping'),
  'tools/list': (client) => client.ask('tools/list'),
  'tools/call': (client) => client.ask('tools/call', { name: 'weather', arguments: { city: 'Lima' } }),
  'resources/list': (client) => client.ask('resources/list'),
  'resources/templates/list': (client) => client.ask('resources/templates/list'),
  'resources/read': (client) => client.ask('resources/read', { uri: 'note://today' }),
  'resources/subscribe': (client) => client.ask('resources/subscribe', { uri: 'note://today' }),
  'resources/unsubscribe': (client) => client.ask('resources/unsubscribe', { uri: 'note://today' }),
  'prompts/list': (client) => client.ask('prompts/list'),
  'prompts/get': (client) => client.ask('prompts/get', { name: 'travel', arguments: { to: 'peru' } }),
  'completion/complete': (client) =>
    client.ask('completion/complete', {
      ref: { type: 'ref/prompt', name: 'travel' },
      argument: { name: 'to', value: 'p' },
    }),
  'logging/setLevel': (client) => client.ask('logging/setLevel', { level: 'error' }),
  'subscriptions/listen': async (client) => {
    const id = client.send('subscriptions/listen', { notifications: { toolsListChanged: true } })
    await client.notice('notifications/subscriptions/acknowledged')
    await client.ask('tools/call', { name: 'hush' })
    return client.reply(id)
  },
  'tasks/get': async (client) => client.ask('tasks/get', await begin(client, 'jot')),
  'tasks/result': async (client) => client.ask('tasks/result', await begin(client, 'jot')),
  'tasks/list': (client) => client.ask('tasks/list'),
  'tasks/update': async (client) =>
    client.ask('tasks/update', { ...(await begin(client, 'linger')), inputResponses: {} }),
  'tasks/cancel': async (client) => client.ask('tasks/cancel', await begin(client, 'linger')),
  'skills/list': (client) => client.ask('skills/list'),
  'skills/get': (client) => client.ask('skills/get', { uri: `${SKILL}/SKILL.md` }),
  'resources/directory/read': (client) => client.ask('resources/directory/read', { uri: SKILL }),
}

const SKILL = 'skill://pdf-processing'

/** Begins a task in the way of the revision; gives what later requests call it by. */
async function begin(client: Client, name: string): Promise<JsonObject> {
  const { result = {} } = await client.ask('tools/call', {
    name,
    ...(client.revision.tasks === 'core' && { task: {} }),
  })
  const { taskId } = { ...result, ...(result['task'] as JsonObject | undefined) } as JsonObject
  return { taskId }
}

/** What a server asks a client, and the tool that does. */
export const QUESTIONS: { readonly [method: string]: string } = {
  'sampling/createMessage': 'ask-model',
  'roots/list': 'ask-roots',
  'elicitation/create': 'ask-name',
}

/** What extensions add to the newest revision; each extension is off unless a server has use for it. */
const EXTENSIONS: { readonly [server in ServerName]: readonly string[] } = {
  sample: ['tasks/get', 'tasks/update', 'tasks/cancel'],
  skills: ['skills/list', 'skills/get', 'resources/directory/read'],
}

/** The methods that one of the servers must answer in a revision. */
export function methodsOf(revision: Revision, server: ServerName): readonly string[] {
  const own = server === 'sample' ? revision.requests : []
  return revision.tasks === 'extension' ? [...own, ...EXTENSIONS[server]] : own
}
