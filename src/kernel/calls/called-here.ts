import { isGranted } from '../callers/audience.ts'
import type { Call } from './call.ts'

/** More are not told of: whoever wants to choose has the list. */
const MOST_TOLD = 3

/**
 * What is said to somebody who asks by a name that something of another server has only there, or no longer here.
 * @example throw new Fault('unknownTool', `Unknown tool: ${name}${calledHere('tools', name, call)}`)
 */
export function calledHere(list: 'tools' | 'prompts', name: string, call: Call): string {
  const { server, principal, owner } = call
  const seen = [...server.relaying.upstreams].flatMap((one) => {
    const here = one.nameHere(list, name)
    const item = here === undefined ? undefined : server[list].find(here, owner)
    return item !== undefined && isGranted(item.scopes, principal) ? [item.key] : []
  })
  return seen.length === 0 ? '' : `. It is called ${seen.slice(0, MOST_TOLD).join(' or ')} here`
}
