import type { Module } from '../../authoring/define.ts'
import { checkUpstreams } from './names.ts'
import { checkUpstream, type NamedUpstreams, type UpstreamOptions } from './options.ts'
import { servedUpstreams } from './served.ts'

export type { NamedUpstreams, UpstreamOptions } from './options.ts'
export type { SignInSettings } from './sign-in/settings.ts'

/** Where a module has its upstreams from, by name. */
export interface UpstreamSource {
  /** Throws where they cannot be told. */
  read(): NamedUpstreams
  /** Has the server not start where what they list within two seconds cannot all be served: two tools with one name, or one that is too long. */
  readonly strict?: boolean
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
  return servedUpstreams(name, {
    read: (others) => checkUpstreams(source.read(), others),
    strict: source.strict,
    watch: (changed) => source.watch?.(changed) ?? (() => {}),
  })
}
