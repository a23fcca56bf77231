import { defineServer } from '../authoring/define-server.ts'
import { type Dialect, VERSION } from '../kernel/index.ts'
import { journal } from '../modules/journal/index.ts'
import { moon } from '../modules/moon/index.ts'
import type { ReadyPage, ReadyServer } from './ready-server.ts'

/** Its document demands negotiation, and prints the refusal of a version that is none of MCP's. */
const DIALECT: Partial<Dialect> = {
  codes: { refusedVersion: { code: -32602, message: 'Unsupported protocol version' } },
  unknownVersion: 'negotiate-dates',
  exit: 'allowed',
}

/** For a person without a key: figures of the Moon are no secret. */
const PAGES: { readonly [path: string]: ReadyPage } = {
  '/': async () => {
    const { PERSON_POLICY, printPersonPage } = await import('../modules/moon/person-page.ts')
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PERSON_POLICY }
    return { headers, answer: printPersonPage }
  },
  '/moon.json': async () => {
    const { printFigures } = await import('../modules/moon/person-page.ts')
    return { headers: { 'content-type': 'application/json' }, answer: printFigures }
  },
}

/** The Moon, over HTTP, for those who have the key. */
export const moonphase: ReadyServer = {
  name: 'moonphase',
  summary: 'the phase of the Moon at any time, over HTTP',
  transport: 'http',
  logLevel: 'warning',
  settings: {
    almanac: {
      kind: 'switch',
      environment: 'MOONPHASE_ALMANAC',
      description: 'more tools than its document has: the Moon from a place, its events, calendars',
    },
    page: {
      kind: 'switch',
      over: 'http',
      environment: 'MOONPHASE_PAGE',
      description: 'a page at / for anybody with a browser, with a slider through time',
    },
  },
  pages: (switches) => (switches.has('page') ? PAGES : {}),
  http: {
    keyEnvironment: 'MOONPHASE_API_KEY',
    keyHeader: 'X-Api-Token',
    keyRequired: true,
    alone: true,
    ownPort: true,
    sessionless: true,
  },
  create: ({ settings, modules, budgets, unscoped, shown, nodes }) =>
    defineServer({
      name: 'moonphase',
      version: VERSION,
      budgets,
      unscoped,
      ...shown,
      ...nodes,
      title: 'Moon phase',
      modules: [...modules, moon({ almanac: settings['almanac'] !== undefined }), journal()],
      dialect: DIALECT,
      logLevel: 'off', // Notices before an answer make events of it, so only those who ask hear any.
    }),
}
