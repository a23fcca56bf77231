import { mkdirSync, mkdtempSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'vite'
import { ROOT } from './outside.mjs'

/** Makes one script that any Node can run of a TypeScript file; gives its path, in a new folder of its own. */
export async function compile(file) {
  // Below the package's folder, where the script finds the package's dependencies.
  const cache = join(ROOT, '.cache')
  mkdirSync(cache, { recursive: true })
  const name = basename(file, '.ts')
  const outDir = mkdtempSync(join(cache, `${name}-`))
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: file,
      outDir,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: `${name}.mjs` } },
    },
  })
  return join(outDir, `${name}.mjs`)
}
