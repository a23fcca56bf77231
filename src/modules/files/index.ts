import { resolve } from 'node:path'
import { defineModule, type Module } from '../../authoring/define.ts'
import type { AuthorServer, Server } from '../../kernel/index.ts'
import { ClientRoots } from './client-roots.ts'
import { fileResource } from './file-resource.ts'
import { type Folder, openFolder } from './folder.ts'
import { allTools, basicTools } from './tools.ts'
import { WatchedFiles } from './watched-files.ts'

/** Which files there are, and what can be done with them. */
export interface FilesOptions {
  /** The folder whose files may be used, or several: where a path is not absolute, it begins in the first. */
  readonly root: string | readonly string[]
  /** How the root is chosen; where it is given, a path outside of the root is told both. */
  readonly chosenBy?: string
  /** Leaves out what changes anything. */
  readonly readonly?: boolean
  /** `read_file`, `write_file` and `list_directory` alone, unless said; or all tools, in pages, and files as resources. */
  readonly extent?: 'basic' | 'full'
  /** Has a client that is on the other end of a pipe choose the roots, if it has any; otherwise its roots narrow these. */
  readonly clientChooses?: boolean
}

/** So many entries make a page of a directory, where there are pages. */
const PAGE = 1000

/**
 * Reading, writing and listing files, confined to some directories.
 * @example defineServer({ name: 'mine', version: '1.0.0', modules: [files({ root: './notes', readonly: true })] })
 */
export function files(options: FilesOptions): Module {
  const { extent = 'basic', chosenBy, readonly: isReadonly = false } = options
  const folder = openFolder(checkRoots(options.root), {
    chosenBy,
    page: extent === 'full' ? PAGE : undefined,
  })
  const wanted = ({
    annotations,
  }: {
    readonly annotations?: { readonly readOnlyHint?: boolean } | undefined
  }) => !isReadonly || annotations?.readOnlyHint === true
  if (extent === 'basic') return { name: 'files', tools: basicTools(folder).filter(wanted) }
  const roots = new ClientRoots(folder, options.clientChooses === true ? 'nowhere' : 'here')
  return defineModule({
    name: 'files',
    description: 'Files and directories: reading, searching, editing, moving.',
    tools: allTools(folder, roots).filter(wanted),
    templates: [fileResource(roots)],
    ...watching(roots),
  })
}

function checkRoots(root: FilesOptions['root']): Folder['roots'] {
  const [first, ...rest] = [root].flat()
  // An empty path would quietly mean the working directory.
  if (first === undefined || [first, ...rest].includes(''))
    throw new TypeError('files: root must name a directory')
  return [resolve(first), ...rest.map((one) => resolve(one))]
}

/** Watches what the clients of a server subscribe to, as long as it is served. */
function watching(roots: ClientRoots): Pick<Module, 'open' | 'close'> {
  const watched = new Map<AuthorServer, WatchedFiles>()
  return {
    open: (seen) => {
      const server = seen as Server // The same object, as the kernel knows it.
      const files = new WatchedFiles({ server, folder: () => roots.known })
      watched.set(seen, files)
      server.relaying.interest.add(files)
    },
    close: (seen) => {
      const files = watched.get(seen)
      watched.delete(seen)
      if (files === undefined) return
      const server = seen as Server // As above.
      server.relaying.interest.delete(files)
      files.close()
    },
  }
}
