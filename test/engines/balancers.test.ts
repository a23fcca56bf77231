import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it, onTestFinished, type TestContext } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { freePort } from '../../scripts/free-port.mjs'
import { type Unpacked, unpackDebian } from '../../scripts/unpack-debian.mjs'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'perigee-balancers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LIBRARIES = ['liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1']
const unpacked = await unpackDebian(['nginx', 'haproxy', ...LIBRARIES], folder).catch((error: Error) => error)

/** The programs, or the reason why there are none, which is a failure where everything must be checked. */
function programs(context: TestContext): Unpacked {
  if (!(unpacked instanceof Error)) return unpacked
  if ((process.env['CI'] ?? '') !== '') throw unpacked
  const reason = `no nginx and no HAProxy here: ${unpacked.message}`
  console.warn(`\n${'!'.repeat(80)}\nTESTS ARE SKIPPED: ${reason}\n${'!'.repeat(80)}\n`)
  return context.skip(reason)
}

/** What stands in the guide, as it stands there. */
function example(language: string): string {
  const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'SCALING.md'), 'utf8')
  const [, text = ''] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide) ?? []
  expect(text).not.toBe('')
  return text
}

/** What nginx would write elsewhere. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
  (name) => `${name}_temp_path ${folder}/${name};`,
)

it('nginx takes the configuration of the guide', async (context) => {
  const { program, env } = programs(context)
  const file = join(folder, 'nginx.conf')
  const text = example('nginx')
    .replace('http {', ['http {', 'access_log off;', ...TEMPORARY].join('\n'))
    .replace('listen 8080', `listen 127.0.0.1:${await freePort()}`) // Even a trial binds it.
  writeFileSync(file, `pid ${folder}/nginx.pid;\n${text}`)
  const { stderr } = await run(program('nginx'), ['-t', '-p', folder, '-e', 'stderr', '-c', file], { env })
  expect(stderr).toContain('test is successful')
})

it('HAProxy takes the configuration of the guide, without a warning', async (context) => {
  const { program, env } = programs(context)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, example('haproxy'))
  const { stdout, stderr } = await run(program('haproxy'), ['-c', '-f', file], { env })
  expect(stdout).toContain('Configuration file is valid')
  expect(stderr).not.toMatch(/WARNING|ALERT/)
})

const PASSED = ['/mcp', '/sse', '/messages', '/mcp/server-card', '/.well-known/oauth-protected-resource/mcp']
const KEPT_BACK = ['/', '/metrics', '/readyz', '/healthz', '/console', '/mcpx']

/** A node that says which path it was asked for. */
async function startNode(): Promise<string> {
  const node = createServer((asked, answer) => answer.end(asked.url)).listen(0, '127.0.0.1')
  onTestFinished(() => void node.close())
  await once(node, 'listening')
  return `127.0.0.1:${(node.address() as AddressInfo).port}`
}

it.for(['nginx', 'haproxy'])('%s passes on what clients need, and nothing else', async (name, context) => {
  const { program, env } = programs(context)
  const [node, port] = [await startNode(), await freePort()]
  const file = join(folder, `${name}-running`)
  const text = example(name)
    .replaceAll(/10\.0\.0\.\d+:8181/g, node)
    .replace('http {', ['http {', 'access_log off;', ...TEMPORARY].join('\n'))
    .replace(/listen 8080|bind :8080/, (bound) => bound.replace(/:?8080/, `127.0.0.1:${port}`))
  const nginx = name === 'nginx'
  writeFileSync(file, nginx ? `daemon off;\npid ${file}.pid;\n${text}` : text)
  const args = nginx ? ['-p', folder, '-e', 'stderr', '-c', file] : ['-db', '-f', file]
  const balancer = spawn(program(name), args, { env, stdio: 'ignore' })
  onTestFinished(() => void balancer.kill())
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return [path, answer.status, answer.status === 200 ? await answer.text() : '']
  }
  await expect.poll(() => ask('/mcp').catch(String)).toEqual(['/mcp', 200, '/mcp'])
  expect(await Promise.all(PASSED.map(ask))).toEqual(PASSED.map((path) => [path, 200, path]))
  expect(await Promise.all(KEPT_BACK.map(ask))).toEqual(KEPT_BACK.map((path) => [path, 404, '']))
})

it('what the guide has for Kubernetes is YAML, and asks the paths that there are', () => {
  const documents = parseAllDocuments(example('yaml'))
  expect(documents.map((one) => [one.errors, one.get('kind')])).toEqual([
    [[], 'Deployment'],
    [[], 'Service'],
  ])
  const path = ['spec', 'template', 'spec', 'containers', 0]
  const probe = (name: string) => documents[0]?.getIn([...path, name, 'httpGet', 'path'])
  expect([probe('livenessProbe'), probe('readinessProbe')]).toEqual(['/healthz', '/readyz'])
})
