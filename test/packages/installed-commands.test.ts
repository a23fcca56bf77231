import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { COMMANDS, README } from '../authoring/readme.ts'
import { freshFolder, installed } from './installed.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const { tarball } = installed
const missing = installed.missing.package
const MODULE = `export default { name: 'mine', tools: [{ name: 'hi', description: 'Say hi', run: () => 'Hi' }] }`
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
}

/** Runs a line of the README as a shell does, in a folder with nothing in it, and gives what it writes first. */
async function firstLine(
  command: string,
  folder: string,
  perigee: string,
  more: { readonly [name: string]: string } = {},
): Promise<string> {
  writeFileSync(join(folder, 'my-tools.mjs'), MODULE)
  const env = {
    ...process.env,
    ...installed.environment,
    PERIGEE: perigee,
    XDG_DATA_HOME: folder,
    MOONPHASE_API_KEY: 'k',
    ...more,
  }
  // A group of its own, because npx does not pass on what ends it.
  const child = spawn('sh', ['-c', `exec ${command}`], { cwd: folder, env, detached: true })
  const closed = once(child, 'close')
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.on('error', () => {}).write(`${JSON.stringify(INITIALIZE)}\n`)
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), closed])
  child.stdin.end()
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid)
  await closed
  return typeof line === 'string' ? line : `${command}: ${stderr}`
}

it.concurrent.for(COMMANDS)('$name runs from the tarball', async ({ name, command }, { skip }) => {
  skip(missing !== '', missing)
  const line = await firstLine(command, freshFolder(`tarball-${name}`), tarball)
  expect(line).toContain(`"serverInfo":{"name":"${name === 'bb' ? 'bb-mcp-server' : name}"`)
})

it.concurrent('primer runs from a clone', async ({ skip }) => {
  skip(missing !== '', missing)
  const { command = '' } = COMMANDS.find(({ name }) => name === 'primer') ?? {}
  // It is built already, and other tests are reading what a further build would replace.
  const built = { npm_config_ignore_scripts: 'true' }
  const line = await firstLine(command, freshFolder('clone'), ROOT, built)
  expect(line).toContain('"serverInfo":{"name":"primer"')
})

it.concurrent.for(['perigee serve', 'moonphase'])('%s runs over HTTP', async (server, { skip }) => {
  skip(missing !== '', missing)
  const command = `npx -y --package "$PERIGEE" ${server}`
  expect(README).toContain(command)
  const line = await firstLine(`${command} --port 0`, freshFolder(`http-${server}`), tarball)
  expect(line).toMatch(/^(workbench|moonphase) is listening at http:\/\/127\.0\.0\.1:\d+\/mcp$/)
})
