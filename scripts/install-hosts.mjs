// Has `perigee install` write into the files of real hosts, starts each of them before a scripted model, and prints which of
// our tools they offered it:
//   npm run install-hosts -- [--hosts ID,…]
// A command and an address are installed, each with a key that the host fills in from a variable: without it, no tools.
// Exits with 1 when a tool was not offered, or a file was not put back.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, promisify } from 'node:util'
import { openModel } from './install-hosts/model.mjs'
import { PROGRAMS } from './install-hosts/programs.mjs'
import { install, ROOT } from './outside.mjs'
import { printTable } from './table.mjs'

const PERIGEE = join(ROOT, 'dist', 'cli', 'bin', 'perigee.js')
const KEY = 'k-0123456789-abcdefghij'
const PATIENCE_MS = 120_000
const { values } = parseArgs({
  options: { hosts: { type: 'string', default: Object.keys(PROGRAMS).join(',') } },
})

const folder = mkdtempSync(join(tmpdir(), 'install-hosts-'))
const server = join(folder, 'server.mjs')
writeFileSync(
  server,
  `import { defineServer, defineTool } from ${JSON.stringify(join(ROOT, 'dist', 'index.js'))}
const name = process.env.MOON_KEY === '${KEY}' ? 'local_moon' : 'remote_moon'
export default defineServer({ name: 'moon', version: '1.0.0', tools: [defineTool({ name, run: () => 'full' })] })
`,
)
const remote = spawn(process.execPath, [PERIGEE, 'serve', server, '--http', '--port', '0'], {
  env: { PATH: process.env.PATH, PERIGEE_API_KEY: KEY },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = await once(createInterface(remote.stdout), 'line')
const url = line.split(' ').at(-1)

const rows = []
for (const id of values.hosts.split(',')) rows.push(await tryHost(id, PROGRAMS[id]))
remote.kill()
rmSync(folder, { recursive: true, force: true })
printTable(['host', 'version', 'command', 'address', 'uninstalled'], rows)
process.exitCode = rows.flat().every((cell) => cell !== 'no') ? 0 : 1

async function tryHost(id, program) {
  const installed = await install(...program.package)
  const home = mkdtempSync(join(folder, `${id}-`))
  const model = await openModel()
  const work = join(home, 'work')
  mkdirSync(work)
  const environment = {
    ...{ PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), MOON_KEY: KEY },
    ...{ PERIGEE_HOME: join(home, '.perigee'), TMPDIR: home, NO_COLOR: '1' },
    ...program.env?.(model.url),
  }
  const run = (file, args) => {
    const [command, first] = file.endsWith('.js') ? [process.execPath, [file]] : [file, []]
    const options = { cwd: work, env: environment, timeout: PATIENCE_MS, killSignal: 'SIGKILL' }
    const child = promisify(execFile)(command, [...first, ...args], options)
    child.child.stdin.end()
    return child.catch((error) => ({ failed: `${error.message}\n${error.stdout}\n${error.stderr}` }))
  }
  const own = program.settings && join(home, program.settings.path)
  const before = program.settings?.text(model.url)
  if (own !== undefined) {
    mkdirSync(dirname(own), { recursive: true })
    writeFileSync(own, before)
  }
  const to = ['--to', id, '--yes']
  const said = [
    await run(PERIGEE, [
      'install',
      '--name',
      'near',
      '--env',
      'MOON_KEY',
      ...to,
      '--',
      process.execPath,
      PERIGEE,
      'serve',
      server,
    ]),
    await run(PERIGEE, [
      'install',
      url,
      '--name',
      'far',
      '--header',
      'Authorization: Bearer ${MOON_KEY}',
      ...to,
    ]),
  ]
  const written = own === undefined ? '' : readFileSync(own, 'utf8')
  const host = await run(program.file(installed), program.args)
  const has = (name) => [...model.offered].some((tool) => tool.endsWith(name))
  if (!has('local_moon') || !has('remote_moon'))
    for (const { failed, stdout, stderr } of [...said, host])
      console.error(`${id}: ${failed ?? `${stdout}${stderr}`}`, [...model.offered])
  // Hosts write into their files as well; what they have not touched is put back byte for byte.
  const isTouched = own !== undefined && readFileSync(own, 'utf8') !== written
  await run(PERIGEE, ['uninstall', 'near', '--yes'])
  await run(PERIGEE, ['uninstall', 'far', '--yes'])
  const left = own === undefined ? '' : readFileSync(own, 'utf8')
  const isBack = isTouched ? !/near|far/.test(left) : own === undefined || left === before
  model.close()
  const cell = (is) => (is ? 'yes' : 'no')
  return [
    id,
    program.package[1],
    cell(has('local_moon')),
    cell(has('remote_moon')),
    isBack && isTouched ? 'the entry alone' : cell(isBack),
  ]
}
