// What is asked of a server: all it lists, with arguments that fit and some that do not. What nobody has, and what is no request,
// whoever stands in front refuses: it is marked, since words may then be others.
import { join } from 'node:path'

const LISTS = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'prompts/list': 'prompts',
}

/** Everything that follows from what a server lists, then what is particular about it. */
export async function* requestsFor(name, client, folder) {
  const capable = (family) => client.capabilities[family] !== undefined
  for (const [method, family] of Object.entries(LISTS)) if (capable(family)) yield { method, params: {} }
  if (capable('resources')) yield* resources(client)
  if (capable('prompts')) yield* prompts(client)
  yield* NAMED[name](folder)
  if (capable('tools')) yield* tools(client)
  yield { method: 'ping', params: {} }
  yield { method: 'no/such', params: {}, isNobodys: true }
}

async function* resources(client) {
  for (const { uri } of (await client.resources()).slice(0, 12))
    yield { method: 'resources/read', params: { uri } }
  yield { method: 'resources/read', params: { uri: 'nobody://has/this' } }
  yield { method: 'resources/read', params: {}, isNobodys: true }
  const { resources = {} } = client.capabilities
  const [{ uri } = { uri: 'nobody://has/this' }] = await client.resources()
  if (!resources.subscribe) return
  yield { method: 'resources/subscribe', params: { uri } }
  yield { method: 'resources/unsubscribe', params: { uri } }
}

async function* prompts(client) {
  for (const { name, arguments: wanted = [] } of await client.prompts()) {
    const given = Object.fromEntries(wanted.map((one) => [one.name, '1']))
    yield { method: 'prompts/get', params: { name, arguments: given } }
    yield { method: 'prompts/get', params: { name } }
    for (const argument of wanted)
      yield {
        method: 'completion/complete',
        params: { ref: { type: 'ref/prompt', name }, argument: { name: argument.name, value: '' } },
      }
  }
  yield { method: 'prompts/get', params: { name: 'nobody has this' }, isNobodys: true }
}

/** What takes long, goes on by itself, tells of the process it runs in, or is asked otherwise below. */
const LEFT_OUT = /long-?running|toggle|simulate|env|research|get_file_info|gzip/i

async function* tools(client) {
  for (const { name, inputSchema } of await client.tools()) {
    if (LEFT_OUT.test(name)) continue
    yield { method: 'tools/call', params: { name, arguments: sample(inputSchema) } }
    yield { method: 'tools/call', params: { name, arguments: { nothing: 'like this' } } }
    yield { method: 'tools/call', params: { name } }
  }
  yield { method: 'tools/call', params: { name: 'nobody has this', arguments: {} }, isNobodys: true }
}

/** A value that fits a schema, as far as its types say. */
function sample({ type, properties = {}, enum: values, default: usual, items, minimum = 1 }) {
  if (usual !== undefined) return usual
  if (values !== undefined) return values[0]
  if (type === 'number' || type === 'integer') return minimum
  if (type === 'boolean') return false
  if (type === 'array') return items === undefined ? [] : [sample(items)]
  if (type !== 'object') return 'x'
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, sample(one)]))
}

const call = (name, args) => ({ method: 'tools/call', params: { name, arguments: args } })

const NAMED = {
  *'@modelcontextprotocol/server-everything'() {
    yield call('echo', { message: 'over there' })
    yield call('trigger-long-running-operation', { duration: 0.3, steps: 3 })
  },
  *'@modelcontextprotocol/server-filesystem'(folder) {
    const poem = join(folder, 'poem.txt')
    yield call('list_allowed_directories', {})
    yield call('read_text_file', { path: poem })
    yield call('read_text_file', { path: poem, head: 1 })
    yield call('write_file', { path: join(folder, 'new.txt'), content: 'new\n' })
    yield call('edit_file', { path: poem, edits: [{ oldText: 'red', newText: 'green' }] })
    yield call('create_directory', { path: join(folder, 'sub', 'below') })
    yield call('move_file', { source: join(folder, 'new.txt'), destination: join(folder, 'sub', 'old.txt') })
    yield call('list_directory', { path: folder })
    yield call('list_directory_with_sizes', { path: folder })
    yield call('directory_tree', { path: folder })
    yield call('search_files', { path: folder, pattern: '**/*.txt' })
    yield call('read_multiple_files', { paths: [poem, join(folder, 'none.txt')] })
    yield call('read_text_file', { path: '/etc/passwd' })
    yield call('read_text_file', { path: join(folder, 'none.txt') })
  },
  *'@modelcontextprotocol/server-memory'() {
    const ann = { name: 'Ann', entityType: 'person', observations: ['likes tea'] }
    const bob = { name: 'Bob', entityType: 'person', observations: [] }
    yield call('create_entities', { entities: [ann, bob] })
    yield call('create_relations', { relations: [{ from: 'Ann', to: 'Bob', relationType: 'knows' }] })
    yield call('add_observations', { observations: [{ entityName: 'Bob', contents: ['likes coffee'] }] })
    yield call('add_observations', { observations: [{ entityName: 'Nobody', contents: ['?'] }] })
    yield call('read_graph', {})
    yield call('search_nodes', { query: 'coffee' })
    yield call('open_nodes', { names: ['Ann', 'Nobody'] })
    yield call('delete_observations', { deletions: [{ entityName: 'Ann', observations: ['likes tea'] }] })
    yield call('delete_relations', { relations: [{ from: 'Ann', to: 'Bob', relationType: 'knows' }] })
    yield call('delete_entities', { entityNames: ['Bob'] })
    yield call('read_graph', {})
  },
}
