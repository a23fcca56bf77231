import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { claudeLine } from './claude-line.ts'
import { hasColours } from './has-colours.ts'

/** Somebody started a server by hand; to them a silent one looks broken. `more` is what a host has to add to what they typed. */
export function greet(name: string, more: readonly string[] = []): void {
  if (!process.stdin.isTTY) return
  const words = [...process.argv.slice(1), ...more].map(fromAnywhere)
  process.stderr.write(printGreeting(name, ['node', ...words], emphasise))
}

/** A host starts it in some other folder. */
function fromAnywhere(word: string): string {
  return statSync(word, { throwIfNoEntry: false })?.isFile() === true ? resolve(word) : word
}

interface ListeningAt {
  readonly url: string
  /** Where its console is, if it has one. */
  readonly console: string | undefined
  /** What carries the proof of who is calling, where any is wanted. */
  readonly header: string | undefined
}

/** The same for a server that listens; whatever reads stderr instead of a person hears nothing. */
export function greetAt(name: string, { url, console, header }: ListeningAt): void {
  if (!process.stderr.isTTY) return
  const headers = header === undefined ? {} : { [header]: '…' }
  const shown = console === undefined ? '' : `To look inside: ${console}\n`
  process.stderr.write(
    `${emphasise(name)} is listening at ${url}; Ctrl-C ends it.\n${shown}To use it from Claude Code: ${claudeLine({ name: oneWord(name), url, headers })}\n`,
  )
}

function emphasise(text: string): string {
  return hasColours() ? `\u001b[1m${text}\u001b[22m` : text
}

/** Hosts want one. */
function oneWord(name: string): string {
  return /^[\w-]+$/.test(name) ? name : 'NAME'
}

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
