import { cut, type ScriptStep, type ToolResult } from '../../kernel/index.ts'

/** A call that a script has made, or would have. */
export interface MadeCall {
  readonly name: string
  readonly outcome: 'ok' | 'failed' | 'not made'
}

/** What a script came to, for a model. */
export function reportEnd(end: NonNullable<ScriptStep['end']>, made: readonly MadeCall[]): ToolResult {
  const logged = end.log === '' && end.unlogged === 0 ? [] : [logOf(end)]
  if ('error' in end) return failure([`${end.error}${placeOf(end)}`, told(made), ...logged].join('\n'))
  const unmade = made.some(({ outcome }) => outcome === 'not made') ? [told(made)] : []
  return { content: [asText(end.value), ...unmade, ...logged].map((text) => ({ type: 'text', text })) }
}

/** The same where the script itself did nothing wrong. */
export function reportFailure(reason: string, made: readonly MadeCall[]): ToolResult {
  return failure(`${reason}\n${told(made)}`)
}

function failure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

function placeOf({
  line,
  column,
}: {
  readonly line?: number | undefined
  readonly column?: number | undefined
}): string {
  return line === undefined ? '' : ` (line ${line}, column ${column})`
}

function asText(value: string | undefined): string {
  if (value === undefined) return NOTHING
  return value.startsWith('"') ? JSON.parse(value) : value
}

const NOTHING =
  'It returned nothing: a script gives what it returns. It is the body of a function and not a function: return …, without async () => { } around it.'

/** What was done is done, whatever became of the script. */
export function told(made: readonly MadeCall[]): string {
  if (made.length === 0) return 'No call was made.'
  const done = made.filter(({ outcome }) => outcome !== 'not made')
  const names = made.map(({ name, outcome }) => (outcome === 'ok' ? cut(name) : `${cut(name)} (${outcome})`))
  return `${done.length} of ${made.length} calls were made: ${names.join(', ')}.`
}

function logOf({ log, unlogged }: { readonly log: string; readonly unlogged: number }): string {
  const left = unlogged === 0 ? '' : `… and ${unlogged} more that there was no room for\n`
  return `Logged:\n${log}${left}`.trimEnd()
}
