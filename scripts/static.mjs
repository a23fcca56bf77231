// What can be known of the code without running it: the scripts `static:…`, as many at once as there are cores, the
// slowest first. Whatever complains is shown whole.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const ROOT = join(import.meta.dirname, '..')
const BIN = join(ROOT, 'node_modules', '.bin')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

// Types and packaging look at dist/, so it is built before any of them begins.
if (!(await passes(scripts.build))) process.exit(1)
const left = Object.keys(scripts).filter((name) => name.startsWith('static:'))
const workers = Array.from({ length: availableParallelism() }, async () => {
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (!(await passes(scripts[name]))) process.exitCode = 1
  }
})
await Promise.all(workers)

async function passes(command) {
  const env = {
    ...process.env,
    PATH: `${BIN}:${process.env.PATH}`,
    ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
  }
  const child = spawn(command, { cwd: ROOT, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const [said, complained, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code !== 0) process.stdout.write(`\n${command}\n${said}${complained}`)
  return code === 0
}
