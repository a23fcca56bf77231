import { randomInt } from 'node:crypto'
import {
  defineModule,
  definePrompt,
  defineResource,
  defineTool,
  type Module,
} from '../../authoring/define.ts'
import { BUDGETS } from '../../kernel/index.ts'
import { createActivityLog } from './activity-log.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const MAX_LENGTH = 10_000
const LOG_URI = 'file:///logs/app.log'

const randomString = defineTool({
  name: 'random_string',
  description: 'return a random string of characters',
  input: { type: 'object', properties: { length: { type: 'number' } }, required: ['length'] },
  scopes: ['random'],
  run: ({ length }) => {
    if (!Number.isInteger(length) || length < 0 || length > MAX_LENGTH) {
      throw new Error(`length: expected a whole number from 0 to ${MAX_LENGTH}, got ${length}`)
    }
    return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  },
})

const calculateSum = defineTool({
  name: 'calculate_sum',
  description: 'add two numbers',
  input: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  scopes: ['math'],
  run: ({ a, b }) => String(a + b),
})

const gitCommit = definePrompt({
  name: 'git-commit',
  otherNames: ['commit'], // The document lists one name, and asks for the other.
  description: 'Generate Git commit messages',
  arguments: [{ name: 'changes', required: true }],
  _meta: { category: 'git' },
  scopes: ['git'],
  render: ({ changes }) => `Generate a commit message for:\n\n${changes}`,
})

/** How much the log may hold. */
export interface PrimerOptions {
  /** How many characters the log may have. */
  readonly mostLogged?: number | undefined
}

/**
 * The whole protocol in small: two tools, a log that is a resource, a prompt.
 * @example defineServer({ name: 'mine', version: '1.0.0', modules: [primer()] })
 */
export function primer({ mostLogged = BUDGETS.maxActivityBytes.limit }: PrimerOptions = {}): Module {
  const log = createActivityLog(mostLogged, (server) => server.updated(LOG_URI))
  const appLog = defineResource({
    uri: LOG_URI,
    name: 'Application Logs',
    mimeType: 'text/plain',
    subscribable: true,
    modified: log.modified,
    scopes: ['logs:read'],
    read: () => ({ text: log.text(), base64: null }),
  })
  return defineModule({
    name: 'primer',
    tools: [randomString, calculateSum],
    resources: [appLog],
    prompts: [gitCommit],
    ...log.module,
  })
}
