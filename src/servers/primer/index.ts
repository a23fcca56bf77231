import { defineModule, type Module } from '../../authoring/define.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { type Dialect, VERSION } from '../../kernel/index.ts'
import { countdown } from '../../modules/countdown/index.ts'
import { primer as protocol } from '../../modules/primer/index.ts'
import type { ReadyServer } from '../ready-server.ts'
import { lastModified, readParams, unfilled } from './document.ts'
import { listFilters } from './list-filters.ts'
import { promptSubscriptions } from './prompt-subscriptions.ts'

const DIALECT: Partial<Dialect> = {
  // A short description each; what was wrong in particular stands in their data.
  codes: {
    parseError: { code: -32700, message: 'Parse error' },
    invalidRequest: { code: -32600, message: 'Invalid request' },
    methodNotFound: { code: -32601, message: 'Method not found' },
    invalidParams: { code: -32602, message: 'Invalid parameters' },
    internalError: { code: -32603, message: 'Internal server error' },
    unknownTool: { code: -32601, message: 'Tool not found' },
    invalidArguments: { code: -32602, message: 'Invalid params' },
    unknownPrompt: { code: -32602, message: 'Prompt not found' },
  },
  badArguments: 'fault',
  details: 'many',
  params: readParams,
  exit: 'acknowledged',
}

/** The whole protocol in small. */
export const primer: ReadyServer = {
  name: 'primer',
  summary: 'the whole protocol in small',
  transport: 'stdio',
  logLevel: 'warning',
  settings: {
    slow: {
      kind: 'switch',
      description:
        'one more tool than its document has, countdown, to try progress, cancellation and exit with',
    },
  },
  http: {},
  create: ({ settings, modules, budgets, unscoped, shown, nodes }) =>
    defineServer({
      name: 'primer',
      version: VERSION,
      budgets,
      unscoped,
      ...shown,
      ...nodes,
      modules: [
        ...modules,
        protocol({ mostLogged: budgets.maxActivityBytes }),
        ...(settings['slow'] === undefined ? [] : [countdown()]),
        document(),
      ],
      dialect: DIALECT,
    }),
}

/** What its document has beyond the protocol. */
function document(): Module {
  const prompts = promptSubscriptions()
  return defineModule({
    name: 'document',
    wraps: 'server',
    middleware: [listFilters, lastModified, unfilled, prompts.middleware],
    observe: prompts.observe,
  })
}
