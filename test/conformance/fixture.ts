import { join } from 'node:path'
import { defineServer, type ServerDefinition } from '../../src/authoring/define-server.ts'
import { definePrompt, defineResource, defineResourceTemplate, elicit, needs } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { skills } from '../../src/modules/skills/index.ts'
import { PNG } from './media.ts'
import {
  askingTools,
  contentTools,
  inputRequiredTools,
  schemaTools,
  statelessTools,
  talkingTools,
  taskTools,
} from './tools.ts'

const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const

/** What the official conformance suite expects to find, written with the authors' API and nothing else. */
export function createFixture(shared: Pick<ServerDefinition, 'store' | 'secrets'> = {}): Server {
  return defineServer({
    ...shared,
    name: 'perigee-conformance',
    version: '1.0.0',
    modules: [skills({ root: join(import.meta.dirname, 'skills') })],
    tools: [
      ...contentTools,
      ...talkingTools,
      ...askingTools,
      ...schemaTools,
      ...statelessTools,
      ...inputRequiredTools,
      ...taskTools,
    ],
    resources: [
      defineResource({
        uri: 'test://static-text',
        name: 'static-text',
        description: 'A text',
        mimeType: 'text/plain',
        read: () => 'This is the content of the static text resource.',
      }),
      defineResource({
        uri: 'test://static-binary',
        name: 'static-binary',
        description: 'A picture',
        mimeType: 'image/png',
        read: () => Buffer.from(PNG, 'base64'),
      }),
      defineResource({
        uri: 'test://watched-resource',
        name: 'watched-resource',
        description: 'Something to watch',
        mimeType: 'text/plain',
        subscribable: true,
        read: () => 'Watched',
      }),
    ],
    templates: [
      defineResourceTemplate({
        uriTemplate: 'test://template/{id}/data',
        name: 'template-data',
        description: 'Data by id',
        mimeType: 'application/json',
        read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      }),
    ],
    prompts: [
      definePrompt({
        name: 'test_simple_prompt',
        description: 'A prompt',
        render: () => 'This is a simple prompt for testing.',
      }),
      definePrompt({
        name: 'test_prompt_with_arguments',
        description: 'A prompt with arguments',
        arguments: [
          { name: 'arg1', description: 'The first', required: true },
          { name: 'arg2', description: 'The second', required: true },
        ],
        complete: { arg1: (value) => ['test', 'testing'].filter((one) => one.startsWith(value)) },
        render: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
      }),
      definePrompt({
        name: 'test_prompt_with_embedded_resource',
        description: 'A prompt with a resource',
        arguments: [{ name: 'resourceUri', description: 'Its URI', required: true }],
        render: ({ resourceUri }) => [
          {
            role: 'user',
            content: {
              type: 'resource',
              resource: {
                uri: resourceUri,
                mimeType: 'text/plain',
                text: 'Embedded resource content for testing.',
              },
            },
          },
          { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
        ],
      }),
      definePrompt({
        name: 'test_prompt_with_image',
        description: 'A prompt with an image',
        render: () => [
          { role: 'user', content: image },
          { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
        ],
      }),
      definePrompt({
        name: 'test_input_required_result_prompt',
        description: 'A prompt that asks',
        render: (_args, { answers }) =>
          answers['user_context'] === undefined
            ? needs({ user_context: elicit({ message: 'Which context?', schema: CONTEXT }) })
            : `Context: ${JSON.stringify(answers['user_context'])}`,
      }),
    ],
  })
}

const CONTEXT = { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] }
