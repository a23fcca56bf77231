import { cut } from '../words/describe.ts'
import { nearest } from '../words/suggest.ts'
import type { Call } from './call.ts'

/**
 * What a model is told of a tool that is not there for its caller; other callers' tools are none it could have meant.
 * @example console.error(notFound('get_wether', call))
 */
export function notFound(name: string, { server, principal }: Pick<Call, 'server' | 'principal'>): string {
  const meant = nearest(
    name,
    [...server.tools.visible(principal)].map(({ key }) => key),
  )
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return `There is no tool ${JSON.stringify(cut(name))}.${hint} search finds tools by what they do.`
}
