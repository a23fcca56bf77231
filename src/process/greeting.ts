import { claudeLine } from './claude-line.ts'

/** What somebody reads who started a server by hand; `words` are what they typed. */
export function printGreeting(
  name: string,
  [command = '', ...args]: readonly string[],
  bold: (text: string) => string = (text) => text,
): string {
  return [
    `${bold(name)} speaks MCP on stdin and stdout, one JSON message a line; Ctrl-D ends it.`,
    `To use it from Claude Code: ${claudeLine({ name: oneWord(name), command, args })}`,
    '',
  ].join('\n')
}

export interface ListeningAt {
  readonly url: string
  /** Where its console is, if it has one. */
  readonly console: string | undefined
  /** What carries the proof of who is calling, where any is wanted. */
  readonly header: string | undefined
}

/** The same of a server that listens. */
export function printListening(
  name: string,
  { url, console, header }: ListeningAt,
  bold: (text: string) => string,
): string {
  const headers = header === undefined ? {} : { [header]: '…' }
  const shown = console === undefined ? '' : `To look inside: ${console}\n`
  return `${bold(name)} is listening at ${url}; Ctrl-C ends it.\n${shown}To use it from Claude Code: ${claudeLine({ name: oneWord(name), url, headers })}\n`
}

/** Hosts want one. */
function oneWord(name: string): string {
  return /^[\w-]+$/.test(name) ? name : 'NAME'
}
