import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ListeningAt, printGreeting, printListening } from './greeting.ts'
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

/** The same for a server that listens; whatever reads stderr instead of a person hears nothing. */
export function greetAt(name: string, at: ListeningAt): void {
  if (process.stderr.isTTY) process.stderr.write(printListening(name, at, emphasise))
}

function emphasise(text: string): string {
  return hasColours() ? `\u001b[1m${text}\u001b[22m` : text
}
