import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire, register } from 'node:module'

/** Loaded before a server: when it writes its first answer, keeps a list of what has been loaded until then. */
const { cache } = createRequire(import.meta.url)
const write = process.stdout.write.bind(process.stdout)
const log = process.env['MODULE_LOG']
let answered = false
register('./log-modules.mjs', import.meta.url)

process.stdout.write = (...args) => {
  if (!answered) keepList()
  answered = true
  return write(...args)
}

function keepList() {
  const files = readFileSync(log, 'utf8').split('\n').filter(Boolean)
  const builtins = process.moduleLoadList.map((name) => name.replace(/^(NativeModule|Internal Binding) /, ''))
  writeFileSync(`${log}.json`, JSON.stringify({ files: [...files, ...Object.keys(cache)], builtins }))
}
