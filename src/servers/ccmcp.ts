import { statSync } from 'node:fs'
import { defineServer } from '../authoring/define-server.ts'
import type { Dialect } from '../kernel/index.ts'
import { basics } from '../modules/basics/index.ts'
import { files } from '../modules/files/index.ts'
import { introspection } from '../modules/introspection/index.ts'
import { journal } from '../modules/journal/index.ts'
import { templates } from '../modules/templates/index.ts'
import { writing } from '../modules/writing/index.ts'
import type { ReadyServer } from './ready-server.ts'

const DIALECT: Partial<Dialect> = {
  codes: { notInitialized: -32002 },
  ping: 'after-initialize',
  unknownVersion: 'refuse',
  badArguments: 'tool-result',
}

/** Files, prompts, and tools made at run time. */
export const ccmcp: ReadyServer = {
  name: 'ccmcp',
  summary: 'files of one folder, prompts, and tools made at run time',
  settings: {
    root: {
      environment: 'CCMCP_ROOT',
      placeholder: 'DIR',
      description: 'the folder its file tools may use',
      fallback: '.',
    },
  },
  create: ({ settings: { root = '.' }, writeLog }) => {
    if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
      throw new Error(`root: expected a folder, and ${JSON.stringify(root)} is none`)
    }
    return defineServer({
      name: 'ccmcp',
      version: '0.1.0',
      modules: [
        introspection(),
        journal({ logger: 'ccmcp', write: writeLog }),
        basics,
        files({ root }),
        templates(),
        writing,
      ],
      dialect: DIALECT,
      logLevel: 'debug',
    })
  },
}
