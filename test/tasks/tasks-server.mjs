/** A server on stdio whose tasks are kept in the file that its first argument names. */
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineServer, elicit, needs, openStore, serveStdio } from '../../dist/index.js'

const [url, mark = ''] = process.argv.slice(2)

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }

const tools = [
  { name: 'quick', description: 'Is soon done', task: 'required', run: async () => `done by ${process.pid}` },
  {
    name: 'long',
    description: 'Goes on until it is told to stop, and leaves a mark then',
    task: 'optional',
    run: async (_args, { signal }) => {
      await sleep(60_000, undefined, { signal }).catch(() => writeFileSync(mark, 'stopped'))
      return 'done'
    },
  },
  {
    name: 'repeatable',
    description: 'Goes on until there is a mark, and may be run twice',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    annotations: { idempotentHint: true },
    task: 'required',
    run: async ({ text }) => {
      while (!existsSync(mark)) await sleep(20)
      return `${text} by ${process.pid}`
    },
  },
  {
    name: 'ask',
    description: 'Asks for a name',
    task: 'required',
    run: (_args, { answers }) =>
      answers['name'] === undefined
        ? needs({ name: elicit({ message: 'Your name?', schema }) })
        : `Hello, ${answers['name'].content.name}`,
  },
]

serveStdio(defineServer({ name: 'long', version: '1.0.0', tools, store: openStore(url) }))
