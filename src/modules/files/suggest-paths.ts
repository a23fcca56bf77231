import { join } from 'node:path'
import { locate } from '../../confined/locate.ts'
import type { AuthorCall as Call } from '../../kernel/index.ts'
import { Effort } from './effort.ts'
import type { Folder } from './folder.ts'
import { walk } from './walk.ts'
import { inWalks } from './walks.ts'

/** As many as a client may be given at once. */
const MOST = 100

/** How the path of a file URI could go on: names in the directory typed so far. */
export function suggestPaths(folder: Folder, typed: string, call: Call): Promise<readonly string[]> {
  return inWalks(folder, call, () => findPaths(folder, typed))
}

async function findPaths(folder: Folder, typed: string): Promise<readonly string[]> {
  const slash = typed.lastIndexOf('/') + 1
  const [above, begun] = [typed.slice(0, slash), typed.slice(slash)]
  const places = [
    ...folder.roots.map((root) => ({ root, path: `/${above}` })),
    { root: folder.roots[0], path: above },
  ]
  for (const { root, path } of places) {
    const names = await namesIn(root, path, begun)
    if (names.length > 0) return names.map((name) => above + name)
  }
  return rootsAhead(folder, typed)
}

/** Nothing is suggested where nothing may be read, whatever the reason. */
async function namesIn(root: string, path: string, begun: string): Promise<readonly string[]> {
  try {
    const start = await locate(root, path === '' ? '.' : path)
    const names: string[] = []
    const effort = new Effort()
    const options = { depth: 1, ignoring: true, from: begun || undefined, effort }
    for await (const { entries, at } of walk(start, options)) {
      const fitting = entries.filter((entry) => entry.path.startsWith(begun))
      names.push(...fitting.map((entry) => `${entry.path}${entry.kind === 'folder' ? '/' : ''}`))
      if (fitting.length < entries.length || names.length >= MOST) break
      if (!at.startsWith(begun) || effort.isSpent) break
    }
    return names.slice(0, MOST)
  } catch {
    return []
  }
}

/** An absolute path that has not come to a root yet. */
function rootsAhead({ roots }: Folder, typed: string): readonly string[] {
  return roots.map((root) => join(root, '/').slice(1)).filter((root) => root.startsWith(typed))
}
