import { suggest } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'
import { CONFIGURATION, fromFiles } from './files.ts'
import { readUpstreams, type WrittenUpstream } from './read-upstreams.ts'

export interface NamedUpstream {
  readonly name: string
  /** What one types for it. */
  readonly typed: string
  readonly url: URL
  readonly entry: WrittenUpstream
}

/** The server over HTTP that somebody means by a name of the configuration, or by an address. */
export function findUpstream(word: string, from: readonly string[]): NamedUpstream {
  if (/^https?:\/\//.test(word))
    return { name: 'upstream', typed: word, url: toUrl(word), entry: { url: word } }
  const all = readUpstreams(from.length === 0 ? [CONFIGURATION] : from)
  const entry = Object.hasOwn(all, word) ? all[word] : undefined
  if (entry === undefined) {
    const names = Object.keys(all)
    const nearest = suggest(word, names)
    throw new UsageError(
      `there is no server ${word}. ${names.includes(nearest) ? `Did you mean ${nearest}?` : nearest}`,
    )
  }
  if (entry.url === undefined)
    throw new UsageError(
      `${word} is a command, and one signs in to servers with a url: give it what it needs by env`,
    )
  return { name: word, typed: `${word}${fromFiles(from)}`, url: toUrl(String(entry.url)), entry }
}

function toUrl(text: string): URL {
  if (URL.canParse(text)) return new URL(text)
  throw new UsageError(`expected an address such as https://example.com/mcp, got ${JSON.stringify(text)}`)
}
