import { defineTool } from '../../src/index.ts'
import type { AuthorServer } from '../../src/kernel/index.ts'
import { kernelCall } from '../setup/kernel.ts'
import { longTools } from './long-work.ts'

export const touch = defineTool({
  name: 'touch',
  description: 'Says that a resource has changed',
  input: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] } as const,
  run: ({ uri }, call) => {
    call.server.updated(uri)
    return `touched ${uri}`
  },
})

export const change = defineTool({
  name: 'change',
  description: 'Adds to a list, or removes again what was added',
  input: {
    type: 'object',
    properties: {
      list: { enum: ['tools', 'resources', 'templates', 'prompts', 'tasks'] },
      how: { enum: ['add', 'remove', 'twice'] },
    },
    required: ['list', 'how'],
  } as const,
  run: ({ list, how }, { server }) => {
    const change = CHANGES[list]
    if (how === 'remove') return `removed: ${change.remove(server)}`
    change.add(server)
    if (how === 'twice') change.remove(server)
    return `${how} ${list}`
  },
})

export const hush = defineTool({
  name: 'hush',
  description: 'Ends every subscription',
  run: (_args, call) => {
    kernelCall(call).server.end()
    return 'quiet'
  },
})

const CHANGES = {
  tools: {
    add: (server: AuthorServer) => server.tools.add({ name: 'extra', run: () => 'extra' }),
    remove: (server: AuthorServer) => server.tools.remove('extra'),
  },
  resources: {
    add: (server: AuthorServer) =>
      server.resources.add({ uri: 'note://extra', name: 'extra', read: () => 'extra' }),
    remove: (server: AuthorServer) => server.resources.remove('note://extra'),
  },
  templates: {
    add: (server: AuthorServer) =>
      server.templates.add({ uriTemplate: 'extra://{name}', name: 'extra', read: () => 'extra' }),
    remove: (server: AuthorServer) => server.templates.remove('extra://{name}'),
  },
  prompts: {
    add: (server: AuthorServer) => server.prompts.add({ name: 'extra', render: () => 'extra' }),
    remove: (server: AuthorServer) => server.prompts.remove('extra'),
  },
  tasks: {
    add: (server: AuthorServer) => {
      for (const tool of longTools) server.tools.add(tool)
    },
    remove: (server: AuthorServer) => longTools.map(({ name }) => server.tools.remove(name)).every(Boolean),
  },
}
