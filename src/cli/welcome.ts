import type { Server } from '../kernel/index.ts'
import type { ReadyServer } from '../servers/ready-server.ts'
import { handLines } from './install/lines.ts'

export interface Door {
  /** Where it can be reached; the first is the one to plug in. */
  readonly urls: readonly string[]
  /** Where a browser shows it, with the key that it needs for that; undefined where it has no console. */
  readonly console: string | undefined
  /** The header that carries a key and the variable that holds one; undefined where no key is needed. */
  readonly key: { readonly header: string; readonly variable: string } | undefined
}

/** What somebody who has just started a server wants to know: where it is, what it has, how to plug it in. */
export function welcome(ready: ReadyServer, server: Server, { urls, console, key }: Door): string {
  const name = /^[\w-]+$/.test(server.info.name) ? server.info.name : ready.name // Hosts want one word.
  const [url = '', ...others] = urls
  const headers = key === undefined ? {} : { [key.header]: headerValue(key.header, `\${${key.variable}}`) }
  return [
    `${name} is listening at ${url}`,
    ...others.map((other) => `from elsewhere: ${other}`),
    ...(console === undefined ? [] : [`in a browser: ${console}`]),
    '',
    ...offered('tool', server.tools),
    ...offered('resource', server.resources),
    ...offered('prompt', server.prompts),
    '',
    ...handLines({ name, url, headers }),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n')
}

function headerValue(header: string, key: string): string {
  return header === 'Authorization' ? `Bearer ${key}` : key
}

function offered(noun: string, items: Iterable<{ readonly key: string }>): readonly string[] {
  const keys = [...items].map((item) => item.key)
  const nouns = `${noun}${keys.length === 1 ? '' : 's'}`
  return keys.length === 0 ? [] : [`${String(keys.length).padStart(3)} ${nouns.padEnd(10)}${keys.join(', ')}`]
}
