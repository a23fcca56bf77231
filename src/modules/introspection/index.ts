import { defineModule, defineResource, type Module } from '../../authoring/define.ts'
import {
  type AuthorCall as Call,
  type AuthorMiddleware as Middleware,
  type AuthorObserver as Observer,
  type Outcome,
  watch,
} from '../../kernel/index.ts'

const SCOPES = ['introspection']

/**
 * What the server can tell of itself: its configuration, its use, its tools.
 * @example defineServer({ name: 'mine', version: '1.0.0', modules: [introspection()] })
 */
export function introspection(): Module {
  const started = Date.now()
  const counts = { requests: 0, errors: 0 }

  const count: Middleware = (call, next) => {
    counts.requests++
    return watch(call, next, (outcome) => {
      if (isError(outcome)) counts.errors++
    })
  }

  const observe: Observer = (event) => {
    if (event.kind !== 'refused' && event.kind !== 'unreadable') return
    counts.requests++
    counts.errors++
  }

  const usage = () => {
    const uptime = ((Date.now() - started) / 1000).toFixed(3)
    return `requests: ${counts.requests}\nerrors: ${counts.errors}\nuptime: ${uptime} s\n`
  }

  const stats = defineResource({
    uri: 'stats://usage',
    name: 'usage',
    description: 'Requests and errors so far, and for how long the server has been up',
    mimeType: 'text/plain',
    scopes: SCOPES,
    read: usage,
  })

  return defineModule({
    name: 'introspection',
    resources: [config, stats, help],
    wraps: 'server',
    middleware: [count],
    observe,
  })
}

const config = defineResource({
  uri: 'config://server',
  name: 'server',
  description: 'Name and version of the server, and how many tools it has',
  mimeType: 'application/json',
  scopes: SCOPES,
  read: (call) => {
    const { name, version } = call.server.info
    return JSON.stringify({ name, version, tools: toolsOf(call).length })
  },
})

const help = defineResource({
  uri: 'help://commands',
  name: 'commands',
  description: 'Every tool and what it does',
  mimeType: 'text/plain',
  scopes: SCOPES,
  read: (call) =>
    toolsOf(call)
      .map(({ listed }) => `${listed['name']}: ${listed['description'] ?? ''}\n`)
      .join(''),
})

/** The tools that whoever asks may use. */
function toolsOf({ server, principal }: Call) {
  return [...server.tools.visible(principal)]
}

function isError(outcome: Outcome): boolean {
  return 'error' in outcome || outcome.result['isError'] === true
}
