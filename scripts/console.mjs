// Makes of console/ the page that servers show on request: dist/console/, one script, one style, no request elsewhere.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

/** Tests build it as well, and what is for development must not be in it. */
process.env.NODE_ENV = 'production'

const ROOT = join(import.meta.dirname, '..')
const FROM = join(ROOT, 'console')
const OUT = join(ROOT, 'dist', 'console')

// Declarations stand there, too, so nothing is removed; what is made has always the same names.
await build({
  configFile: false,
  logLevel: 'error',
  root: FROM,
  build: {
    target: 'es2023',
    outDir: OUT,
    emptyOutDir: false,
    copyPublicDir: false,
    cssCodeSplit: false,
    lib: { entry: join(FROM, 'main.tsx'), formats: ['es'], fileName: () => 'app.js', cssFileName: 'app' },
    minify: true,
    rolldownOptions: {
      // Of the kernel a client needs a few tables; the rest of it does nothing by being there.
      treeshake: { moduleSideEffects: (id) => !id.includes('/src/') },
      output: { minify: true, comments: false, codeSplitting: false },
    },
  },
  define: { 'process.env.NODE_ENV': '"production"' },
})
const script = readFileSync(join(OUT, 'app.js'), 'utf8')
if (/\b(import|from) ?['"]|import\(|\beval\(|new Function\b/.test(script)) {
  throw new Error('The page of the console imports something, or makes code of text')
}
for (const file of ['index.html', 'frame.html']) cpSync(join(FROM, file), join(OUT, file))
