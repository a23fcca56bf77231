import { defineResourceTemplate, type Module } from '../../authoring/define.ts'
import { findMimeType } from '../../confined/mime-type.ts'
import {
  type AuthorCall as Call,
  checkString,
  type ResourceContents,
  type ResourceTemplateDefinition,
  type AuthorServer as Server,
} from '../../kernel/index.ts'
import { describeFile, type FileDescription } from './describe-file.ts'
import type { Library } from './library.ts'
import { Rounds } from './rounds.ts'
import { parseUri } from './uri.ts'

/** What a caller needs to see any of it. */
export const SKILLS = ['skills']

export function fileTemplate(library: Library): ResourceTemplateDefinition {
  return defineResourceTemplate({
    uriTemplate: 'skill://{+path}',
    name: 'skill-file',
    title: 'Skill file',
    description: 'A file of a skill. Each skill begins with its SKILL.md.',
    scopes: SKILLS,
    // The variable is decoded as a whole, and that would hide which slashes were encoded.
    read: (_variables, call) => readFile(library, call),
  })
}

/** Lists what there is from the start on, and brings that up to date before a client is given the list. */
export function listing(library: Library): Pick<Module, 'open' | 'close' | 'middleware' | 'wraps'> {
  const shown = new Map<Server, ReadonlyMap<string, string>>()
  const rounds = new Rounds<void>()
  const refresh = async () => {
    const { skills } = await library.look()
    const files = [...skills.values()].map((skill) => describeFile(skill.file, skill))
    for (const [server, before] of shown) shown.set(server, show(server, { before, files }, library))
  }
  const ask = () => rounds.ask('', refresh)
  return {
    open: (server) => {
      library.server = server
      shown.set(server, NONE)
      return ask()
    },
    close: (server) => {
      show(server, { before: shown.get(server) ?? NONE, files: [] }, library)
      shown.delete(server)
    },
    wraps: 'server',
    middleware: [
      (call, next) => (call.method === 'resources/list' ? ask().then(() => next(call)) : next(call)),
    ],
  }
}

/** What is listed, as it was added, by URI. */
const NONE: ReadonlyMap<string, string> = new Map()

interface Showing {
  readonly before: ReadonlyMap<string, string>
  readonly files: readonly FileDescription[]
}

function show(
  { resources }: Server,
  { before, files }: Showing,
  library: Library,
): ReadonlyMap<string, string> {
  const wanted = new Map(files.map((file) => [file.uri, JSON.stringify(file)]))
  for (const [uri, print] of before) if (wanted.get(uri) !== print) resources.remove(uri)
  for (const file of files) {
    if (before.get(file.uri) === wanted.get(file.uri)) continue
    // Somebody else's resource of that name goes first, as it does when it is read.
    if (resources.has(file.uri)) wanted.delete(file.uri)
    else
      resources.add({
        ...file,
        scopes: SKILLS,
        read: (call) => readFile(library, call),
      })
  }
  return wanted
}

async function readFile(library: Library, call: Call): Promise<ResourceContents | undefined> {
  const uri = checkString(call.params, 'uri')
  const path = parseUri(uri)
  const file = path === undefined ? undefined : (await library.lookFor(path, call)).files.get(path)
  if (file === undefined) return undefined
  const mimeType = findMimeType(file.name)
  return library.read(file, call, (bytes) => {
    const text = decode(bytes)
    return text === undefined
      ? { uri, mimeType: mimeType ?? 'application/octet-stream', blob: bytes.toString('base64') }
      : { uri, mimeType: mimeType ?? 'text/plain', text }
  })
}

/** Undefined when it is no text; a byte order mark stays, so that digests hold for what is sent. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
