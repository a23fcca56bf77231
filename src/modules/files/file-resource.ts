import { defineResourceTemplate } from '../../authoring/define.ts'
import { openDirectory, openFile } from '../../confined/confine.ts'
import { codeOf } from '../../confined/explain.ts'
import { type Found, locate } from '../../confined/locate.ts'
import { findMimeType } from '../../confined/mime-type.ts'
import { readEntries } from '../../confined/read-entries.ts'
import {
  type AuthorCall as Call,
  checkString,
  Fault,
  Needs,
  type ResourceContents,
  type ResourceTemplateDefinition,
} from '../../kernel/index.ts'
import { LARGE, ownTurn } from '../../process/own-turn.ts'
import type { ClientRoots } from './client-roots.ts'
import { parseText } from './file-content.ts'
import { pathOfUri } from './file-uri.ts'
import type { Folder } from './folder.ts'
import { inOrder } from './in-order.ts'
import { readInRoom } from './read-file.ts'
import { readPart } from './read-text.ts'
import { suggestPaths } from './suggest-paths.ts'
import { checkWanted, inWalks } from './walks.ts'

/** A directory with more shows so many. */
const MOST_NAMES = 1000

/** The files as resources, of which clients can be told when they change. */
export function fileResource(roots: ClientRoots): ResourceTemplateDefinition {
  return defineResourceTemplate({
    uriTemplate: 'file:///{+path}',
    name: 'file',
    title: 'File',
    description:
      'A file, by its absolute path or by one that begins in the root; or the names in a directory.',
    scopes: ['files:read'],
    subscribable: true,
    complete: { path: (value, _chosen, call) => suggestPaths(roots.known, value, call) },
    // The variable is decoded as a whole, and that would hide which slashes were encoded.
    read: async (_variables, call) => {
      const folder = roots.asks(call) ? await roots.folderFor(call) : roots.known
      return folder instanceof Needs ? folder : readUri(folder, call)
    },
  })
}

async function readUri(folder: Folder, call: Call): Promise<ResourceContents | undefined> {
  const uri = checkString(call.params, 'uri')
  const path = pathOfUri(uri, folder)
  if (path === undefined) return undefined
  const reading = folder.use({ path, does: 'read', call }, async (root) => {
    try {
      const found = await locate(root, path)
      const contents = found.stats.isDirectory()
        ? await inWalks(folder, call, () => readNames(found, call))
        : await readInRoom(folder, call, () => readBytes(found, path))
      return { uri, ...contents }
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'OUTSIDE') return undefined
      throw error
    }
  })
  return reading.catch((error: Error) => {
    // A sentence about the path is for whoever asked; anything else is a mistake of ours.
    throw error.constructor === Error ? new Fault('invalidParams', `Invalid params: ${error.message}`) : error
  })
}

async function readNames(found: Found, call: Call) {
  const directory = await openDirectory(found)
  try {
    const names: string[] = []
    for await (const { name } of inOrder(await readEntries(directory))) {
      checkWanted(call)
      if (names.push(name) === MOST_NAMES) break
    }
    return { mimeType: 'inode/directory', text: names.join('\n') }
  } finally {
    await directory.close()
  }
}

async function readBytes(found: Found, path: string) {
  const file = await openFile(found)
  try {
    const bytes = await readPart(file, path, {})
    if (bytes.length > LARGE) await ownTurn()
    const [text, mimeType] = [parseText(bytes), findMimeType(found.path)]
    return text === undefined
      ? { mimeType: mimeType ?? 'application/octet-stream', blob: bytes.toString('base64') }
      : { mimeType: mimeType ?? 'text/plain', text }
  } finally {
    await file.close()
  }
}
