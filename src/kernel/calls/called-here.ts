import type { Call } from './call.ts'

/** More are not told of: whoever wants to choose has the list. */
const MOST_TOLD = 3

/**
 * What is said to somebody who asks by a name that something of another server has only there, or no longer here.
 * @example throw new Fault('unknownTool', `Unknown tool: ${name}${calledHere('tools', name, call)}`)
 */
export function calledHere(list: 'tools' | 'prompts', name: string, { server, principal }: Call): string {
  const names = [...server.relaying.upstreams].flatMap((one) => one.nameHere(list, name) ?? [])
  if (names.length === 0) return ''
  const seen = new Set([...server[list].visible(principal)].map(({ key }) => key))
  const told = names.filter((one) => seen.has(one)).slice(0, MOST_TOLD)
  return told.length === 0 ? '' : `. It is called ${told.join(' or ')} here`
}
