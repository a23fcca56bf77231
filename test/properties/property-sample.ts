import { z } from 'zod'
import { defineServer } from '../../src/authoring/define-server.ts'
import {
  defineModule,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
} from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'

/** A little of everything a server can have, with nothing in it that fails by itself. */
export function createSample(): Server {
  return defineServer({
    name: 'sample',
    version: '1.0.0',
    modules: [
      defineModule({
        name: 'all',
        tools: [
          defineTool({
            name: 'echo',
            input: { type: 'object', properties: { text: { type: 'string' } } },
            run: ({ text }) => text ?? '',
          }),
          defineTool({
            name: 'sum',
            input: z.object({ numbers: z.array(z.number()) }),
            output: { type: 'object', properties: { sum: { type: 'number' } } },
            run: async ({ numbers }) => ({ sum: numbers.reduce((sum, one) => sum + one, 0) }),
          }),
          defineTool({ name: 'anything', input: { type: 'object' }, run: (args) => ({ got: args }) }),
        ],
        resources: [
          defineResource({ uri: 'memo://one', name: 'one', subscribable: true, read: () => 'one' }),
        ],
        templates: [
          defineResourceTemplate({
            uriTemplate: 'memo://{name}/{+rest}',
            name: 'memo',
            complete: { name: (value) => [value] },
            read: ({ name }) => name,
          }),
        ],
        prompts: [
          definePrompt({
            name: 'greet',
            arguments: [{ name: 'name', required: true }],
            render: ({ name }) => `Hello ${name}`,
          }),
        ],
      }),
    ],
  })
}
