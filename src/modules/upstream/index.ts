import { defineModule, type Module } from '../../authoring/define.ts'
import type { Link, Server } from '../../kernel/index.ts'
import { checkUpstream, type NamedUpstreams, type UpstreamOptions } from './options.ts'
import type { UpstreamSet } from './upstream-set.ts'

export type { NamedUpstreams, UpstreamOptions } from './options.ts'
export type { SignInSettings } from './sign-in/settings.ts'

/** Where a module has its upstreams from, by name. */
export interface UpstreamSource {
  /** Throws where they cannot be told. */
  read(): NamedUpstreams
  /** Has a function called when they may be others, until the one given back is called. */
  watch?(changed: () => void): () => void
}

/**
 * Another MCP server as a module: everything it has is offered here, in every revision, whichever it speaks itself.
 * `upstream('github', { url, headers })`, `upstream('files', { command, args })`.
 * @example
 * const github = upstream('github', { url: 'https://mcp.example.com/mcp', tools: ['get_*'] })
 * defineServer({ name: 'gateway', version: '1.0.0', modules: [github] })
 */
export function upstream(name: string, options: UpstreamOptions): Module {
  checkUpstream(name, options)
  return upstreams(name, { read: () => ({ [name]: options }) })
}

/**
 * Many of them, which may become others while they are served: whoever stays among them is not disturbed.
 * @example
 * const all = upstreams('gateway', { read: () => ({ notes: { command: 'npx', args: ['-y', 'some-server'] } }) })
 * defineServer({ name: 'gateway', version: '1.0.0', modules: [all] })
 */
export function upstreams(name: string, source: UpstreamSource): Module {
  const opened = new Map<unknown, { readonly set: UpstreamSet; readonly stop: () => void }>()
  return defineModule({
    name,
    open: async (seen) => {
      const { UpstreamSet } = await import('./upstream-set.ts')
      const server = seen as Server // The kernel's own face.
      const set = new UpstreamSet(server)
      set.open(source.read())
      const stop = source.watch?.(() => void takeOver(set, source, server)) ?? (() => {})
      opened.set(seen, { set, stop })
    },
    ready: (seen) => opened.get(seen)?.set.ready(),
    close: async (seen) => {
      const one = opened.get(seen)
      opened.delete(seen)
      one?.stop()
      await one?.set.close()
    },
    observe: (event) => {
      if (event.kind !== 'link-closed') return
      for (const { set } of opened.values()) set.left(event.link as Link) // The kernel's own face.
    },
  })
}

/** What cannot be read or is wrong changes nothing. */
async function takeOver(set: UpstreamSet, source: UpstreamSource, server: Server): Promise<void> {
  const note = (level: 'notice' | 'error', message: string) =>
    server.observe({ kind: 'noted', level, message })
  try {
    const changes = await set.change(source.read())
    if (changes.length > 0) note('notice', `The configuration has been taken over: ${changes.join(', ')}`)
  } catch (error) {
    note('error', `${(error as Error).message}. What was configured before stands`)
  }
}
