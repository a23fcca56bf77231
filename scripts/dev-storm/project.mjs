import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../outside.mjs'

const PERIGEE = join(ROOT, 'dist', 'cli', 'bin', 'perigee.js')

/** A project with one file that is saved again and again, and what serves it. */
export class Project {
  folder
  #servers = []

  constructor() {
    const cache = join(ROOT, '.cache')
    mkdirSync(cache, { recursive: true })
    this.folder = mkdtempSync(join(cache, 'dev-storm-'))
    mkdirSync(join(this.folder, 'node_modules'))
    symlinkSync(ROOT, join(this.folder, 'node_modules', 'perigee'))
    writeFileSync(join(this.folder, 'package.json'), '{ "type": "module" }')
    this.save(0, 0)
  }

  /** The command that a host's configuration has. */
  get command() {
    return { command: process.execPath, args: [PERIGEE, 'dev', join(this.folder, 'server.mjs')] }
  }

  /** Saves a server that says which one it is and what time it has, and has so many tools besides; every other time as careful editors do. */
  save(number, tools) {
    const more = Array.from(
      { length: tools },
      (_, at) => `, defineTool({ name: 'more-${at}', run: () => '' })`,
    )
    this.#write(
      `import { defineServer, defineTool } from 'perigee'
const which = defineTool({ name: 'which', run: () => \`${number} \${Date.now()}\` })
export default defineServer({ name: 'changing', version: '1.0.0', tools: [which${more.join('')}] })
`,
      number % 2 === 1,
    )
  }

  /** Saves what nobody can load. */
  break(number) {
    this.#write(`export default { // ${number}`, false)
  }

  #write(text, carefully) {
    const file = join(this.folder, 'server.mjs')
    if (!carefully) return writeFileSync(file, text)
    writeFileSync(`${file}.tmp`, text)
    renameSync(`${file}.tmp`, file)
  }

  /** Serves it over HTTP; gives its address. */
  async serve() {
    const { command, args } = this.command
    const server = spawn(command, [...args, '--http', '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#servers.push(server)
    let said = ''
    let errors = ''
    server.stdout.on('data', (text) => {
      said += text
    })
    server.stderr.on('data', (text) => {
      errors += text
    })
    for (;;) {
      const [, url] = /listening at (\S+)/.exec(said) ?? []
      if (url !== undefined) return { url, stderr: () => errors }
      if (server.exitCode !== null) throw new Error(`perigee dev has ended: ${errors}`)
      await sleep(10)
    }
  }

  async close() {
    for (const server of this.#servers) {
      server.kill('SIGTERM')
      if (server.exitCode === null) await new Promise((resolve) => server.once('exit', resolve))
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}
