import { defineResourceTemplate, type Module } from '../../authoring/define.ts'
import { findMimeType } from '../../confined/mime-type.ts'
import {
  checkString,
  type ResourceContents,
  type ResourceTemplateDefinition,
  type AuthorServer as Server,
} from '../../kernel/index.ts'
import { describeFile, type FileDescription } from './describe-file.ts'
import type { Library } from './library.ts'
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
    read: (_variables, call) => readFile(library, checkString(call.params, 'uri')),
  })
}

/** Lists what there is from the start on, and brings that up to date before a client is given the list. */
export function listing(library: Library): Pick<Module, 'open' | 'close' | 'middleware' | 'wraps'> {
  const shown = new Map<Server, Shown>()
  let looks = 0
  const refresh = async () => {
    const look = ++looks
    const { skills } = await library.look()
    const files = [...skills.values()].map((skill) => describeFile(skill.file, skill))
    for (const [server, before] of shown) {
      // A look that took longer must not undo what a later one has seen.
      if (before.look < look)
        shown.set(server, { look, files: show(server, { before: before.files, files }, library) })
    }
  }
  return {
    open: (server) => {
      library.mostFrontMatter = server.budgets.maxFrontMatterBytes
      shown.set(server, { look: 0, files: NONE })
      return refresh()
    },
    close: (server) => {
      show(server, { before: shown.get(server)?.files ?? NONE, files: [] }, library)
      shown.delete(server)
    },
    wraps: 'server',
    middleware: [
      (call, next) => (call.method === 'resources/list' ? refresh().then(() => next(call)) : next(call)),
    ],
  }
}

interface Shown {
  /** Which look it was that has seen them. */
  readonly look: number
  /** As they were added, by URI. */
  readonly files: ReadonlyMap<string, string>
}

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
        read: (call) => readFile(library, checkString(call.params, 'uri')),
      })
  }
  return wanted
}

async function readFile(library: Library, uri: string): Promise<ResourceContents | undefined> {
  const path = parseUri(uri)
  const file = path === undefined ? undefined : (await library.lookFor(path)).files.get(path)
  if (file === undefined) return undefined
  const read = await library.read(file)
  if (read === undefined) return undefined
  const mimeType = findMimeType(file.name)
  const text = decode(read.bytes)
  return text === undefined
    ? { uri, mimeType: mimeType ?? 'application/octet-stream', blob: read.bytes.toString('base64') }
    : { uri, mimeType: mimeType ?? 'text/plain', text }
}

/** Undefined when it is no text; a byte order mark stays, so that digests hold for what is sent. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
