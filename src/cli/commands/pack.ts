import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../kernel/index.ts'
import type { Talk } from '../client/command.ts'
import { listFrom } from '../client/find.ts'
import { oneLine } from '../client/printable.ts'
import { talk } from '../client/talk.ts'
import type { GivenSettings } from '../config-file.ts'
import { readLine } from '../flags.ts'
import { bundleName, makeBundle } from '../pack/bundle.ts'
import { type NodePackage, readJson, textOf } from '../pack/package-json.ts'
import { entryName, isOurs, serverJson } from '../pack/server-json.ts'
import { findSource, type PackSource } from '../pack/source.ts'
import { printSettings } from '../usage.ts'
import { UsageError } from '../usage-error.ts'
import { lockOf } from './lock.ts'

const SETTINGS = {
  out: { placeholder: 'DIR', description: 'where both are written', fallback: '.' },
  name: {
    placeholder: 'NAME',
    description:
      'what the registry calls it, such as io.github.you/weather; "mcpName" of package.json unless said',
  },
  author: { placeholder: 'NAME', description: 'who has made it; "author" of package.json unless said' },
  remote: {
    kind: 'many',
    placeholder: 'URL',
    description: 'where it is served, for those who need not install it; may be repeated',
  },
  'bundle-url': {
    placeholder: 'URL',
    description: 'where the bundle will be downloaded from, such as a release',
  },
  replace: { kind: 'switch', description: 'writes over a server.json that was made otherwise' },
  header: {
    kind: 'many',
    placeholder: '"NAME: VALUE"',
    description: 'sent to a server that is named by its address; may be repeated',
  },
  timeout: { placeholder: 'SECONDS', description: 'how long the server may take to answer', fallback: '60' },
  json: { kind: 'switch', description: 'prints what was written as JSON' },
  help: { kind: 'switch', description: 'this text' },
} as const

const USAGE = `perigee pack: makes of a server what others find and install: server.json for the registry, and an .mcpb bundle

Usage: perigee pack [FILE] [options]    a file that exports a server, and the package it belongs to
       perigee pack URL [options]       server.json alone, for a server that is served there

${printSettings('Options', SETTINGS)}

The server is started and asked what it is and what it offers. The same files give the same bytes.

Example: perigee pack dist/server.js --name io.github.you/weather --out release`

/** Writes down what a server is, for those who look for one, and packs it for those who install it. */
export async function pack(args: readonly string[]): Promise<void> {
  const { flags, words } = readLine(SETTINGS, args)
  if (flags['help'] === true) return console.log(USAGE)
  const [word, ...more] = words
  if (more.length > 0) throw new UsageError(`expected one server, got ${more.join(', ')} as well`)
  const source = findSource(word)
  const typed = ['json', 'timeout', 'header'].flatMap((name) => again(name, flags[name]))
  const wish = readWish(flags)
  const command = {
    ...{ name: 'pack', summary: '', words: '', example: '', settings: {} },
    prepare: () => (one: Talk) => write(one, source, wish),
  }
  await talk(command, [...typed, ...source.talk])
}

/** An option as it was typed. */
function again(name: string, value: unknown): readonly string[] {
  if (value === undefined) return []
  if (value === true) return [`--${name}`]
  return (Array.isArray(value) ? value : [value]).flatMap((one) => [`--${name}`, String(one)])
}

interface PackWish {
  readonly out: string
  readonly name: string | undefined
  readonly author: string | undefined
  readonly remotes: readonly string[]
  readonly bundleUrl: string | undefined
  readonly replace: boolean
}

function readWish(flags: GivenSettings): PackWish {
  const text = (name: string) => flags[name] as string | undefined // As its kind says.
  const remotes = (flags['remote'] ?? []) as readonly string[] // As its kind says.
  return {
    out: text('out') ?? '.',
    name: text('name'),
    author: text('author'),
    remotes: remotes.map((url) => checkUrl('remote', url)),
    bundleUrl:
      text('bundle-url') === undefined ? undefined : checkUrl('bundle-url', text('bundle-url') ?? ''),
    replace: flags['replace'] === true,
  }
}

function checkUrl(name: string, url: string): string {
  if (/^https?:\/\/\S+$/.test(url) && URL.canParse(url)) return url
  throw new UsageError(
    `${name}: expected an address such as https://example.com/…, got ${JSON.stringify(url)}`,
  )
}

interface Written {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

async function write({ client, options, output }: Talk, source: PackSource, wish: PackWish): Promise<void> {
  const info = client.server ?? { name: 'server', version: '0.0.0' }
  const own = 'package' in source ? source.package : undefined
  const name = entryName(wish.name, info, own)
  const entryPath = join(wish.out, 'server.json')
  checkReplaced(entryPath, wish)
  const { hash: lock } = await lockOf({ client, options })
  const listing = { client, options }
  const [tools, prompts] = [await listFrom('tools', listing), await listFrom('prompts', listing)]
  const parts = { info, author: wish.author, lock, tools, hasPrompts: prompts.length > 0 }
  const bundle = 'package' in source ? makeBundle({ ...parts, ...source }) : undefined
  const offered = bundle && wish.bundleUrl ? { url: wish.bundleUrl, sha256: sha256(bundle) } : undefined
  const remotes = 'url' in source ? [source.url, ...wish.remotes] : wish.remotes
  const entry = serverJson({ info, name, package: own, bundle: offered, remotes, lock })
  const contents = new Map<string, Buffer>([
    [entryPath, Buffer.from(`${JSON.stringify(entry, undefined, 2)}\n`)],
  ])
  if (bundle && own) contents.set(join(wish.out, `${bundleName({ info, package: own })}.mcpb`), bundle)
  const written = writeAll(wish.out, contents)
  const notes = notesOn(entry, own)
  if (output.json) return output.sayJson({ name, version: entry['version'], lock, files: written, notes })
  output.say(
    written.map(({ path, bytes, sha256: hash }) => `${path}: ${bytes} bytes, sha256 ${hash}`).join('\n'),
  )
  for (const note of notes) output.note(oneLine(note, 400))
}

/** Somebody may have said more in it than we know. */
function checkReplaced(path: string, { replace }: PackWish): void {
  if (replace || !existsSync(path) || isOurs(readJson(path))) return
  throw new UsageError(`${path} was made otherwise: --replace writes over it, --out DIR beside it`)
}

function writeAll(folder: string, contents: ReadonlyMap<string, Buffer>): readonly Written[] {
  try {
    mkdirSync(folder, { recursive: true })
    for (const [path, bytes] of contents) writeFileSync(path, bytes)
  } catch (error) {
    throw new UsageError(`out: ${folder} cannot be written to: ${(error as Error).message}`)
  }
  return [...contents].map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: sha256(bytes) }))
}

/** What is still to be done before the registry takes it. */
function notesOn({ name, packages, remotes }: JsonObject, own: NodePackage | undefined): readonly string[] {
  const notes: string[] = []
  if (packages === undefined && remotes === undefined)
    notes.push(
      'server.json says neither where to get it nor where it is served: add --bundle-url or --remote, or publish the package with a "bin"',
    )
  const isOnNpm = (packages as readonly JsonObject[] | undefined)?.some(
    (one) => one['registryType'] === 'npm',
  )
  if (isOnNpm === true && own !== undefined && textOf(own.json, 'mcpName') !== name)
    notes.push(
      `the registry asks the package whose it is: add "mcpName": ${JSON.stringify(name)} to package.json`,
    )
  return notes
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
