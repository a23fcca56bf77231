import { defineModule, defineResource, type Module } from '../../authoring/define.ts'
import { type AuthorMiddleware as Middleware, watch } from '../../kernel/index.ts'

interface Count {
  calls: number
  errors: number
  totalMs: number
  longestMs: number
}

/**
 * How often each tool was called since the server started, how often it failed, and how long it took: `stats://tools`.
 * @example defineServer({ name: 'mine', version: '1.0.0', modules: [stats()] })
 */
export function stats(): Module {
  const since = new Date().toISOString()
  const counts = new Map<string, Count>()

  const count: Middleware = (call, next) => {
    const name = String(call.params?.['name'])
    // What nobody has would be counted without end.
    if (call.method !== 'tools/call' || !call.server.tools.has(name, call.owner)) return next(call)
    const began = performance.now()
    return watch(call, next, (outcome) => {
      const failed = 'error' in outcome || outcome.result['isError'] === true
      counts.set(name, added(counts.get(name), performance.now() - began, failed))
    })
  }

  const tools = defineResource({
    uri: 'stats://tools',
    name: 'stats',
    title: 'Use of the tools',
    description: 'For each tool how often it was called and failed, and how long it took',
    mimeType: 'application/json',
    scopes: ['stats'],
    read: () =>
      JSON.stringify({
        since,
        tools: Object.fromEntries([...counts].map(([name, one]) => [name, told(one)])),
      }),
  })

  return defineModule({ name: 'stats', resources: [tools], wraps: 'server', middleware: [count] })
}

const NONE: Count = { calls: 0, errors: 0, totalMs: 0, longestMs: 0 }

function added({ calls, errors, totalMs, longestMs }: Count = NONE, tookMs: number, failed: boolean): Count {
  return {
    calls: calls + 1,
    errors: errors + (failed ? 1 : 0),
    totalMs: totalMs + tookMs,
    longestMs: Math.max(longestMs, tookMs),
  }
}

function told({ calls, errors, totalMs, longestMs }: Count) {
  return { calls, errors, meanMs: toMicros(totalMs / calls), longestMs: toMicros(longestMs) }
}

function toMicros(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}
