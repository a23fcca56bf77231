import { existsSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { checkServer, isObject, type Loading, type Server, whileLoading } from '../kernel/index.ts'
import { importFile, runnerOf } from '../process/import-file.ts'
import { look } from '../process/look.ts'
import { tellingOfNoEnd } from '../process/no-end.ts'
import { quietly } from '../process/quietly.ts'
import { explainLoading } from '../process/syntax-error.ts'
import type { ServerContext } from '../servers/ready-server.ts'
import { UsageError } from './usage-error.ts'

/** What a server in a file is called before it has said so itself. */
export function nameOfFile(file: string): string {
  const path = resolve(file)
  const name = basename(path, extname(path))
  return /^(index|main|server)$/.test(name) ? basename(dirname(path)) : name
}

/** Where servers stand mostly. */
const LIKELY = ['server', 'index', 'main'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs'].map((end) => `${name}.${end}`),
)

/** A folder is no server, though one may be in it. */
export function refuseFolder(file: string): void {
  if (look(file)?.isDirectory() !== true) return
  const inside = LIKELY.flatMap((name) => [join(file, name), join(file, 'src', name)])
  const found = inside.find((path) => existsSync(path))
  const help =
    found === undefined ? 'name the one that exports the server, such as ./server.ts' : `perhaps ${found}`
  throw new UsageError(`${resolve(file)} is a folder, a file is wanted: ${help}`)
}

/** Loads the server that a file exports by default, or that a function gives which it exports. */
export async function loadServerFile(
  file: string,
  { note, ...additions }: Omit<Loading, 'file' | 'runner' | 'taken'> & Pick<ServerContext, 'note'>,
): Promise<Server> {
  const path = resolve(file)
  refuseFolder(file)
  if (!look(path)?.isFile()) throw new UsageError(`there is no file ${path}`)
  const loading: Loading = { file, runner: runnerOf(path), ...additions, taken: false }
  const server = await whileLoading(loading, () =>
    quietly(() => tellingOfNoEnd({ command: 'perigee', what: file, note }, () => load(file, path))),
  )
  if (loading.taken) return server
  throw new Error(
    `${file}: its server was not made while it was loaded: let it export defineServer({ … }), or a function that does so`,
  )
}

async function load(file: string, path: string): Promise<Server> {
  const exported = await importDefault(file, path)
  try {
    const server: unknown = typeof exported === 'function' ? await exported() : exported
    checkServer('export default', server)
    return server as Server // It has just been looked at.
  } catch (error) {
    throw explain(file, path, error)
  }
}

async function importDefault(file: string, path: string): Promise<unknown> {
  try {
    const loaded = await importFile(path)
    if (isObject(loaded) && loaded['default'] !== undefined) return unwrap(loaded['default'])
  } catch (error) {
    throw explain(file, path, error)
  }
  throw new Error(`${file} exports no server: let it end in export default defineServer({ … })`)
}

/** What was compiled to CommonJS has its default export one step further in. */
function unwrap(exported: unknown): unknown {
  return isObject(exported) && exported['__esModule'] === true ? exported['default'] : exported
}

/** The place in the file helps its author more than the rest of the stack does. */
function explain(file: string, path: string, error: unknown): Error {
  const { said, where } = explainLoading(path, error)
  const hint = /^Cannot find package 'perigee'/.test(said) ? '. Install it where the file is' : ''
  return new Error(`${file} does not load: ${said}${hint}${where}`, { cause: error })
}
