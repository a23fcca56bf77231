import { defineModule, type Module } from '../../authoring/define.ts'
import type { Link, Server } from '../../kernel/index.ts'
import { checkUpstream, type UpstreamOptions } from './options.ts'
import type { Upstream } from './upstream.ts'

export type { UpstreamOptions } from './options.ts'

/**
 * Another MCP server as a module: everything it has is offered here, in every revision, whichever it speaks itself.
 * `upstream('github', { url, headers })`, `upstream('files', { command, args })`.
 */
export function upstream(name: string, options: UpstreamOptions): Module {
  checkUpstream(name, options)
  const opened = new Map<unknown, Upstream>()
  return defineModule({
    name,
    open: async (seen) => {
      const { Upstream } = await import('./upstream.ts')
      const one = new Upstream(name, options, seen as Server) // The kernel's own face.
      opened.set(seen, one)
      one.open()
    },
    ready: (seen) => opened.get(seen)?.ready(),
    close: async (seen) => {
      const one = opened.get(seen)
      opened.delete(seen)
      await one?.close()
    },
    observe: (event) => {
      if (event.kind !== 'link-closed') return
      for (const one of opened.values()) one.left(event.link as Link) // The kernel's own face.
    },
  })
}
