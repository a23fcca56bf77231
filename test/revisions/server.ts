import { join } from 'node:path'
import { defineServer } from '../../src/authoring/define-server.ts'
import { defineTool } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { skills } from '../../src/modules/skills/index.ts'
import { kernelCall } from '../setup/kernel.ts'
import { createSampleServer } from '../transcripts/sample-server.ts'

const jot = defineTool({
  name: 'jot',
  description: 'Is done at once, also as a task',
  task: 'optional',
  run: () => 'noted',
})

const linger = defineTool({
  name: 'linger',
  description: 'Goes on until it is cancelled',
  task: 'optional',
  run: (_args, call) =>
    new Promise<string>((resolve) => {
      call.signal.addEventListener('abort', () => resolve('called off'))
    }),
})

const hush = defineTool({
  name: 'hush',
  description: 'Ends every subscription',
  run: (_args, call) => {
    kernelCall(call).server.end()
    return 'quiet'
  },
})

/** The servers that together answer every method there is. */
export const SERVERS = {
  /** What the transcripts are about, and tools that can become tasks. */
  sample: () => {
    const server = createSampleServer()
    for (const tool of [jot, linger, hush]) server.tools.add(tool)
    return server
  },
  skills: (root: string) => defineServer({ name: 'skills', version: '1.0.0', modules: [skills({ root })] }),
} satisfies { [name: string]: (root: string) => Server }

export type ServerName = keyof typeof SERVERS

export const SKILLS = join(import.meta.dirname, '..', 'conformance', 'skills')
