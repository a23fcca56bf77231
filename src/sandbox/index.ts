import type { OpenSandbox, ScriptLimits } from '../kernel/index.ts'
import { node } from './node.ts'
import { Pool } from './pool.ts'

const PACKAGE = 'quickjs-wasi'

/** It is there wherever threads are, and TypeScript knows it from browsers only. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { compile(bytes: Uint8Array): Promise<object> }
}

/** QuickJS in WebAssembly, in threads beside the server's. Nothing is started before the first script. */
export const openQuickJs: OpenSandbox = async (limits: ScriptLimits) => {
  const require = node('node:module').createRequire(import.meta.url)
  const { readFile } = node('node:fs/promises')
  const wasm = await WebAssembly.compile(await readFile(find(require, `${PACKAGE}/quickjs.wasm`)))
  const { version } = JSON.parse(await readFile(find(require, `${PACKAGE}/package.json`), 'utf8'))
  return new Pool({ file: require.resolve('#sandbox'), wasm, limits, engine: `${PACKAGE} ${version}` })
}

/** It is the user's to install. */
function find(require: NodeJS.Require, path: string): string {
  try {
    return require.resolve(path)
  } catch (error) {
    throw new Error(`offer: 'code' needs the package ${PACKAGE}: npm install ${PACKAGE}`, { cause: error })
  }
}
