// What two servers that keep things for agents are told, in the words of each. What one of them has no words for is left
// out, and counts as missing.
import { join } from 'node:path'
import { install } from '../../scripts/outside.mjs'
import { ROOT } from './contenders.mjs'

const BOSSMAN = join(ROOT, 'dist', 'cli', 'bin', 'bossman.js')
const PEER = ['@modelcontextprotocol/server-memory', '2026.8.31']

export async function createSides() {
  const peer = join(await install(...PEER), 'dist', 'index.js')
  return [
    {
      name: 'bossman',
      command: (folder) => [process.execPath, BOSSMAN, '--store', `sqlite:${join(folder, 'tasks.db')}`],
      env: () => ({}),
      requests: {
        add: ['create_task', { description: 'one more thing' }],
        find: ['list_tasks', { text: 'number77' }],
      },
      verbs: bossman,
    },
    {
      name: 'server-memory',
      command: () => [process.execPath, peer],
      env: (folder) => ({ MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
      requests: {
        add: ['create_entities', { entities: [entity('one more thing')] }],
        find: ['search_nodes', { query: 'number77' }],
      },
      verbs: memory,
    },
  ]
}

/** An id is whatever the server knows a thing by. */
function bossman(use) {
  const textsOf = ({ tasks }) => tasks.map(({ description }) => description)
  return {
    keep: async (text, kind) =>
      (await use('create_task', { description: text, ...(kind && { tags: [kind] }) })).id,
    wrong: (text) => use('create_task', { descriptoin: text, description: 'x' }),
    nothing: () => use('create_task', { description: ' ' }),
    number: () => use('create_task', { description: 5 }),
    read: async (id) => (await use('get_task', { id })).description,
    readMissing: () => use('get_task', { id: 'task_none' }),
    find: async (text) => textsOf(await use('list_tasks', { text })),
    ofKind: async (tag) => textsOf(await use('list_tasks', { tag })),
    page: async () => {
      const first = await use('list_tasks', { limit: 10 })
      const next = await use('list_tasks', { limit: 10, cursor: first.nextCursor })
      return [textsOf(first), textsOf(next)]
    },
    newest: async () => textsOf(await use('list_tasks', { limit: 1 }))[0],
    change: (id, text) => use('update_task', { id, description: text }),
    changeMissing: () => use('update_task', { id: 'task_none', description: 'x' }),
    changeSeen: async (id, text) => {
      const { updatedAt } = await use('get_task', { id })
      await use('update_task', { id, description: 'somebody else was faster' })
      await use('update_task', { id, description: text, expectedUpdatedAt: updatedAt })
    },
    link: (from, to) => use('update_task', { id: from, blocked_by: [to] }),
    linked: async (from) => (await use('get_task', { id: from })).blockedBy ?? [],
    unlink: (from) => use('update_task', { id: from, blocked_by: [] }),
    remove: (id) => use('delete_task', { id }),
    removeMissing: () => use('delete_task', { id: 'task_none' }),
    restore: (id) => use('restore_task', { id }),
    history: async (id) => (await use('task_history', { id })).entries.map(({ what }) => what),
    claim: (id, agent) => use('claim_task', { id, agent }),
    watched: (id) => `task://${id}`,
  }
}

const entity = (name, entityType = 'thing') => ({ name, entityType, observations: [] })

function memory(use) {
  const namesOf = ({ entities }) => entities.map(({ name }) => name)
  const relation = (from, to) => ({ from, to, relationType: 'waits for' })
  const open = (name) => use('open_nodes', { names: [name] })
  return {
    keep: async (text, kind) => {
      await use('create_entities', { entities: [entity(text, kind)] })
      return text
    },
    keepAll: (texts) => use('create_entities', { entities: texts.map((text) => entity(text)) }),
    keepOnce: async (text) => {
      for (let n = 0; n < 2; n++) await use('create_entities', { entities: [entity(text)] })
    },
    wrong: (text) => use('create_entities', { entities: [entity('x')], entitties: [text] }),
    nothing: () => use('create_entities', { entities: [entity(' ')] }),
    number: () => use('create_entities', { entities: [entity(5)] }),
    read: async (name) => namesOf(await open(name))[0],
    readMissing: () => open('none'),
    find: async (query) => namesOf(await use('search_nodes', { query })),
    ofKind: async (query) => namesOf(await use('search_nodes', { query })),
    // It gives all it has, the oldest first.
    newest: async () => namesOf(await use('read_graph', {})).at(-1),
    change: (name, text) =>
      use('add_observations', { observations: [{ entityName: name, contents: [text] }] }),
    changeMissing: () => use('add_observations', { observations: [{ entityName: 'none', contents: ['x'] }] }),
    link: (from, to) => use('create_relations', { relations: [relation(from, to)] }),
    linked: async (from) =>
      (await open(from)).relations.filter((one) => one.from === from).map(({ to }) => to),
    unlink: (from, to) => use('delete_relations', { relations: [relation(from, to)] }),
    remove: (name) => use('delete_entities', { entityNames: [name] }),
    removeMissing: () => use('delete_entities', { entityNames: ['none'] }),
    watched: () => 'memory://knowledge-graph',
  }
}
