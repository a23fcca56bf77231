import { defineServer } from '../../src/authoring/define-server.ts'
import type { Module } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { change, hush, touch } from './changing.ts'
import { plainTools } from './plain-tools.ts'
import { prompts } from './prompts.ts'
import { questions } from './questions.ts'
import { resources, templates } from './resources.ts'
import { ICON } from './values.ts'

/** A server with something of everything, for dialogues to be about, and what else a test is about. */
export function createEverything(modules: readonly Module[] = []): Server {
  return defineServer({
    name: 'sample',
    version: '1.2.3',
    title: 'Sample',
    description: 'Something of everything',
    websiteUrl: 'https://example.com',
    icons: [ICON],
    instructions: 'Try everything',
    pageSize: 4,
    tools: [...plainTools(), touch, change, hush],
    resources,
    templates,
    prompts,
    modules: [questions, ...modules],
  })
}
