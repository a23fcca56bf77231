import { defineServer } from '../authoring/define-server.ts'
import type { Dialect } from '../kernel/index.ts'
import { journal } from '../modules/journal/index.ts'
import { moon } from '../modules/moon/index.ts'
import type { ReadyServer } from './ready-server.ts'

/** Its document demands negotiation, and prints the refusal of a version that is none of MCP's. */
const DIALECT: Partial<Dialect> = {
  codes: { refusedVersion: { code: -32602, message: 'Unsupported protocol version' } },
  unknownVersion: 'negotiate-dates',
  exit: 'allowed',
}

/** The Moon, over HTTP, for those who have the key. */
export const moonphase: ReadyServer = {
  name: 'moonphase',
  summary: 'the phase of the Moon at any time, over HTTP',
  transport: 'http',
  logLevel: 'warning',
  settings: {},
  http: {
    keyEnvironment: 'MOONPHASE_API_KEY',
    keyHeader: 'X-Api-Token',
    keyRequired: true,
    alone: true,
    ownPort: true,
    sessionless: true,
  },
  create: ({ modules, budgets, unscoped, shown, nodes }) =>
    defineServer({
      name: 'moonphase',
      version: '0.1.0',
      budgets,
      unscoped,
      ...shown,
      ...nodes,
      title: 'Moon phase',
      modules: [...modules, moon(), journal()],
      dialect: DIALECT,
      logLevel: 'off', // Notices before an answer make events of it, so only those who ask hear any.
    }),
}
