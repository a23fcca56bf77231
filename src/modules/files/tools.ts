import { type AuthorCall as Call, Needs, type ToolDefinition } from '../../kernel/index.ts'
import type { ClientRoots } from './client-roots.ts'
import { copyFile } from './copy-file.ts'
import { createDirectory } from './create-directory.ts'
import { directoryTree } from './directory-tree.ts'
import { editFile } from './edit-file.ts'
import { fileInfo } from './file-info.ts'
import type { Folder } from './folder.ts'
import { listDirectory } from './list-directory.ts'
import { listRootsTool } from './list-roots.ts'
import { moveFile } from './move-file.ts'
import { readFile } from './read-file.ts'
import { readFiles } from './read-files.ts'
import { searchFiles } from './search-files.ts'
import { writeFile } from './write-file.ts'

export function basicTools(folder: Folder) {
  return [readFile(folder), writeFile(folder), listDirectory(folder)] as const
}

const TOOLS: readonly ((folder: Folder) => ToolDefinition)[] = [
  readFile,
  readFiles,
  writeFile,
  editFile,
  listDirectory,
  directoryTree,
  searchFiles,
  fileInfo,
  createDirectory,
  moveFile,
  copyFile,
  listRootsTool,
]

/** Each in the roots of whoever calls it. */
export function allTools(folder: Folder, roots: ClientRoots): readonly ToolDefinition[] {
  return TOOLS.map((make) => {
    const tool = make(folder)
    return {
      ...tool,
      run: (args: never, call: Call) => {
        if (!roots.asks(call)) return tool.run(args, call)
        return roots.folderFor(call).then((own) => (own instanceof Needs ? own : make(own).run(args, call)))
      },
    }
  })
}
