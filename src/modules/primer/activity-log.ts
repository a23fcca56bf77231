import type { Module } from '../../authoring/define.ts'
import type { AuthorServer, KernelObserver, Middleware } from '../../kernel/index.ts'
import { watch } from '../../kernel/index.ts'
import { RecentLines } from './recent-lines.ts'

/** What the server has done, line by line, and when it did it last. */
export interface ActivityLog {
  readonly modified: () => Date
  /** The whole text; made anew only after it has changed. */
  readonly text: () => string
  readonly module: Pick<Module, 'open' | 'close' | 'middleware' | 'wraps' | 'observe'>
}

/** `changed` is told of every new line, for each server that has it. */
export function createActivityLog(most: number, changed: (server: AuthorServer) => void): ActivityLog {
  const lines = new RecentLines(most)
  const servers = new Set<AuthorServer>()
  let modified = new Date()
  let cached: string | undefined
  const note = (level: 'INFO' | 'ERROR', message: string) => {
    modified = new Date()
    lines.push(`${modified.toISOString().slice(0, 19).replace('T', ' ')} ${level} ${message}`)
    cached = undefined
    for (const server of servers) changed(server)
  }
  const middleware: Middleware = (call, next) =>
    watch(call, next, (outcome) => {
      if ('error' in outcome) note('ERROR', `${call.method} failed`)
      else if (call.method !== 'resources/read') note('INFO', call.method)
      call.server.usage.saw('maxActivityBytes', lines.length)
    })
  const observe: KernelObserver = (event) => {
    if (event.kind === 'link-opened') note('INFO', 'Client connected')
    if (event.kind === 'link-closed') note('INFO', 'Client left')
    if (event.kind === 'refused' || event.kind === 'unreadable') note('ERROR', event.fault.message)
  }
  note('INFO', 'Server started')
  return {
    modified: () => modified,
    text: () => {
      cached ??= lines.text()
      return cached
    },
    module: {
      wraps: 'server',
      middleware: [middleware],
      observe,
      open: (server) => void servers.add(server),
      close: (server) => void servers.delete(server),
    },
  }
}
