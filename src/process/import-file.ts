import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { isObject } from '../kernel/index.ts'
import { withoutExperimentalWarnings } from './without-experimental-warnings.ts'

/** Imports a file of JavaScript, or of TypeScript where the runtime, or jiti beside the file, can. */
export async function importFile(path: string): Promise<unknown> {
  try {
    return await withoutExperimentalWarnings(() => import(pathToFileURL(path).href))
  } catch (error) {
    const unread = unreadIn(error)
    if (unread === undefined) throw error
    return (await findJiti(path, unread))(path)
  }
}

/** Loads what a file is about to need: this package as it finds it, and what reads TypeScript where the runtime does not. */
export async function warmUp(path: string): Promise<void> {
  const package_ = resolveFrom(path, 'perigee')
  const wanted = [package_, isTypeScript(path) && !runsTypeScript() ? resolveFrom(path, 'jiti') : undefined]
  // What is wrong with them is said when the file is loaded.
  await Promise.allSettled(wanted.flatMap((url) => (url === undefined ? [] : [import(url)])))
}

/** What somebody types before the path of a file to run it by itself. */
export function runnerOf(path: string): string {
  if (!isTypeScript(path) || runsTypeScript()) return 'node'
  return process.execArgv.length > 0 ? `node ${process.execArgv.join(' ')}` : 'npx jiti'
}

/** Whether the runtime reads TypeScript by itself. */
export function runsTypeScript(): boolean {
  const { features } = process as { readonly features: { readonly typescript?: unknown } } // Node 20 has no such feature.
  return Boolean(features.typescript)
}

const isTypeScript = (path: string) => /\.[cm]?tsx?$/.test(path)

/**
 * The file of TypeScript that was not read, or one that it imports: another runtime, a newer Node, or a loader that
 * somebody has set up reads it; Node 20 does not know what it is.
 */
function unreadIn(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_UNKNOWN_FILE_EXTENSION')
    return undefined
  const [, file = ''] = / for (.+)$/.exec(error.message) ?? []
  return isTypeScript(file) ? file : undefined
}

type Import = (path: string) => Promise<unknown>

/** Looked for from the file: it is its author's, not ours. */
async function findJiti(path: string, unread: string): Promise<Import> {
  const entry = resolveFrom(path, 'jiti')
  const loaded: unknown = entry === undefined ? undefined : await import(entry)
  const create = isObject(loaded) ? loaded['createJiti'] : undefined
  if (typeof create === 'function') {
    const jiti = create(path) as { readonly import: Import } // So it is from 2 on.
    return (file) => jiti.import(file)
  }
  const { node } = process.versions
  throw new Error(
    `Node ${node} does not run TypeScript (${unread}), as Node 22.18 and later do. With this one: npm install --save-dev jiti@2, or compile it to JavaScript`,
  )
}

function resolveFrom(path: string, name: string): string | undefined {
  try {
    return pathToFileURL(createRequire(path).resolve(name)).href
  } catch {
    return undefined // It is not installed there.
  }
}
