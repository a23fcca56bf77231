import type { Client } from '../../src/client/index.ts'
import type { Revision } from '../../src/kernel/revisions/revision.ts'
import type { ServerName } from './server.ts'

/** Every method but the one a conversation opens with, and how a client comes by a result of it. */
export const METHODS: { readonly [method: string]: (client: Client) => Promise<unknown> } = {
  'server/discover': (client) => client.request('server/discover'),
  ping: (client) => client.request('ping'),
  'tools/list': (client) => client.request('tools/list'),
  'tools/call': (client) => client.request('tools/call', { name: 'weather', arguments: { city: 'Lima' } }),
  'resources/list': (client) => client.request('resources/list'),
  'resources/templates/list': (client) => client.request('resources/templates/list'),
  'resources/read': (client) => client.request('resources/read', { uri: 'note://today' }),
  'resources/subscribe': (client) => client.request('resources/subscribe', { uri: 'note://today' }),
  'resources/unsubscribe': (client) => client.request('resources/unsubscribe', { uri: 'note://today' }),
  'prompts/list': (client) => client.request('prompts/list'),
  'prompts/get': (client) => client.request('prompts/get', { name: 'travel', arguments: { to: 'peru' } }),
  'completion/complete': (client) =>
    client.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'travel' },
      argument: { name: 'to', value: 'p' },
    }),
  'logging/setLevel': (client) => client.request('logging/setLevel', { level: 'error' }),
  'subscriptions/listen': async (client) => {
    const listening = await client.listen({ tools: true }, () => {})
    await client.callTool('hush')
    return { result: await listening.closed }
  },
  'tasks/get': async (client) => client.tasks.get(await begin(client, 'long-note')),
  'tasks/result': async (client) => client.tasks.result(await begin(client, 'long-note')),
  'tasks/list': (client) => client.tasks.list(),
  'tasks/update': async (client) =>
    client.request('tasks/update', { taskId: await begin(client, 'long-wait'), inputResponses: {} }),
  'tasks/cancel': async (client) =>
    client.request('tasks/cancel', { taskId: await begin(client, 'long-wait') }),
  'skills/list': (client) => client.request('skills/list'),
  'skills/get': (client) => client.request('skills/get', { uri: `${SKILL}/SKILL.md` }),
  'resources/directory/read': (client) => client.request('resources/directory/read', { uri: SKILL }),
}

const SKILL = 'skill://pdf-processing'

/** Begins a task; gives what later requests call it by. */
async function begin(client: Client, name: string): Promise<string> {
  return String((await client.tasks.start(name)).taskId)
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
