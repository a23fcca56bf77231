import { readdir } from 'node:fs/promises'
import { defineResourceTemplate } from '../../authoring/define.ts'
import { openDirectory, openFile } from '../../confined/confine.ts'
import { codeOf } from '../../confined/explain.ts'
import { locate } from '../../confined/locate.ts'
import { findMimeType } from '../../confined/mime-type.ts'
import {
  checkString,
  Fault,
  Needs,
  type ResourceContents,
  type ResourceTemplateDefinition,
} from '../../kernel/index.ts'
import type { ClientRoots } from './client-roots.ts'
import { parseText } from './file-content.ts'
import { pathOfUri } from './file-uri.ts'
import type { Folder } from './folder.ts'
import { readPart } from './read-text.ts'
import { suggestPaths } from './suggest-paths.ts'

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
    complete: { path: (value) => suggestPaths(roots.known, value) },
    // The variable is decoded as a whole, and that would hide which slashes were encoded.
    read: async (_variables, call) => {
      const folder = roots.asks(call) ? await roots.folderFor(call) : roots.known
      return folder instanceof Needs ? folder : readUri(folder, checkString(call.params, 'uri'))
    },
  })
}

async function readUri(folder: Folder, uri: string): Promise<ResourceContents | undefined> {
  const path = pathOfUri(uri, folder)
  if (path === undefined) return undefined
  const reading = folder.use(path, 'read', async (root) => {
    try {
      return await readPlace(root, path, uri)
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

async function readPlace(root: string, path: string, uri: string): Promise<ResourceContents> {
  const found = await locate(root, path)
  if (found.stats.isDirectory()) {
    const directory = await openDirectory(found)
    try {
      const names = (await readdir(directory.path)).sort().slice(0, MOST_NAMES)
      return { uri, mimeType: 'inode/directory', text: names.join('\n') }
    } finally {
      await directory.close()
    }
  }
  const file = await openFile(found)
  try {
    const bytes = await readPart(file, path, {})
    const [text, mimeType] = [parseText(bytes), findMimeType(found.path)]
    return text === undefined
      ? { uri, mimeType: mimeType ?? 'application/octet-stream', blob: bytes.toString('base64') }
      : { uri, mimeType: mimeType ?? 'text/plain', text }
  } finally {
    await file.close()
  }
}
