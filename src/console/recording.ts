import type { KeptMessage } from './kept-messages.ts'

/** A recording is one line of JSON a message, without secrets; files of it are for their owner alone. */
export const RECORDING_TYPE = 'application/jsonl'

/** One line: when, in which conversation, which way, and what. */
export function printLine({
  time,
  connection,
  direction,
  text,
}: Pick<KeptMessage, 'time' | 'connection' | 'direction' | 'text'>): string {
  const head = JSON.stringify({ time: new Date(time).toISOString(), connection, direction })
  return `${head.slice(0, -1)},"message":${text}}\n`
}
