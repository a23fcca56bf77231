import type { HttpSettings } from './settings.ts'

/** Where MCP is served: its own path, and where there is a pair, that of its stream and that of its messages. */
export function pathsOf({ path, ssePair }: Pick<HttpSettings, 'path' | 'ssePair'>): readonly string[] {
  if (!ssePair) return [path]
  const beside = path.replace(/\/[^/]*$/, '')
  return [path, `${beside}/sse`, `${beside}/messages`]
}
