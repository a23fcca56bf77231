import { defineModule, type Module } from '../../authoring/define.ts'
import type { Link, Server } from '../../kernel/index.ts'
import type { SetOptions, UpstreamSet } from './upstream-set.ts'

/** Where a module has its upstreams from, which looks at them itself. */
export interface CheckedSource extends SetOptions {
  readonly watch?: (changed: () => void) => () => void
}

/** A module that offers what upstreams have. */
export function servedUpstreams(name: string, source: CheckedSource): Module {
  const opened = new Map<unknown, { readonly set: UpstreamSet; readonly stop: () => void }>()
  return defineModule({
    name,
    open: async (seen) => {
      const { UpstreamSet } = await import('./upstream-set.ts')
      const server = seen as Server // The kernel's own face.
      const set = new UpstreamSet(server, source)
      set.open()
      const stop = source.watch?.(() => void takeOver(set, server)) ?? (() => {})
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
async function takeOver(set: UpstreamSet, server: Server): Promise<void> {
  const note = (level: 'notice' | 'error', message: string) =>
    server.observe({ kind: 'noted', level, message })
  try {
    const changes = await set.change()
    if (changes.length > 0) note('notice', `The configuration has been taken over: ${changes.join(', ')}`)
  } catch (error) {
    note('error', `${(error as Error).message}. What was configured before stands`)
  }
}
