import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { freePort } from '../../scripts/free-port.mjs'
import { freshFolder, installed } from './installed.ts'

const DEPLOY = join(import.meta.dirname, '..', '..', 'examples', 'deploy')
const missing = installed.missing.package || installed.missing.nodes
const run = promisify(execFile)
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8')

const ENVIRONMENT = {
  ...process.env,
  ...installed.environment,
  PATH: [join(installed.folder, 'nodes', 'newer', 'package', 'bin'), process.env['PATH']].join(delimiter),
  NODE_NO_WARNINGS: '1', // Node 22 calls SQLite and TypeScript experimental.
}

interface Started {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: { readonly [name: string]: string }
}

/** Starts what a file says, on this machine alone, asks it how it is and what it does, and stops it as whoever deploys it would. */
async function serveAndStop({ command, cwd, env }: Started, port: number, paths: readonly string[]) {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd, env: { ...ENVIRONMENT, ...env } })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const closed = once(child, 'close')
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status)
  while (child.exitCode === null && (await ask('/healthz').catch(() => 0)) !== 200) await sleep(50)
  const statuses = child.exitCode === null ? await Promise.all(paths.map(ask)) : await said
  child.kill('SIGTERM')
  const [code] = await closed
  return { statuses, code }
}

/** A project as somebody would deploy it. */
function project(name: string): string {
  const folder = freshFolder(name)
  const dependencies = { perigee: `file:${basename(installed.tarball)}` }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  cpSync(installed.tarball, join(folder, basename(installed.tarball)))
  cpSync(join(DEPLOY, 'server.ts'), join(folder, 'server.ts'))
  return folder
}

interface Image {
  readonly context: string
  /** The folder that is `/`. */
  readonly root: string
  cwd: string
  readonly env: { [name: string]: string }
  readonly command: string[]
}

const nothing = () => {}

/** What each step of a Dockerfile is in a folder. */
const STEPS: { readonly [step: string]: (image: Image, rest: string) => unknown } = {
  FROM: nothing,
  USER: nothing,
  EXPOSE: nothing,
  WORKDIR: (image, path) => {
    image.cwd = join(image.root, path)
    mkdirSync(image.cwd, { recursive: true })
  },
  COPY: ({ context, cwd }, paths) =>
    run('sh', ['-c', `cp ${paths.replace(/ \.\/$/, '')} '${cwd}'`], { cwd: context }),
  RUN: ({ cwd }, command) => run('sh', ['-c', command], { cwd, env: ENVIRONMENT }),
  ENV: ({ env }, pairs) => {
    for (const [, name = '', value = ''] of pairs.matchAll(/(\w+)=(\S+)/g)) env[name] = value
  },
  ENTRYPOINT: ({ command, root }, words) => {
    const [program = '', ...args] = JSON.parse(words)
    command.push(join(root, program), ...args)
  },
  CMD: ({ command }, words) => command.push(...JSON.parse(words)),
}

/** Does in a folder what a Dockerfile says; no image is built. */
async function follow(dockerfile: string, context: string, root: string): Promise<Image> {
  const image: Image = { context, root, cwd: root, env: {}, command: [] }
  for (const line of dockerfile.trimEnd().split('\n')) {
    const [step = '', ...rest] = line.split(' ')
    expect(Object.keys(STEPS)).toContain(step)
    await STEPS[step]?.(image, rest.join(' '))
  }
  return image
}

it('what the Dockerfile says makes a server that wants keys, is well, and stops when told', async ({
  skip,
}) => {
  skip(missing !== '', missing)
  const context = project('docker-context')
  await run('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: context, env: ENVIRONMENT })
  const image = await follow(read('Dockerfile'), context, freshFolder('docker-image'))
  expect(image.env).toEqual({ PERIGEE_HOST: '0.0.0.0', PORT: '8181' })

  const [program = '', ...args] = image.command
  const open = run(program, args, { cwd: image.cwd, env: { ...ENVIRONMENT, ...image.env } })
  await expect(open).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('set up keys or tokens first'),
  })

  const port = await freePort()
  const env = { PERIGEE_HOST: '127.0.0.1', PORT: String(port), PERIGEE_API_KEY: 'a-long-secret' }
  const { statuses, code } = await serveAndStop({ ...image, env }, port, ['/readyz', '/mcp'])
  expect([statuses, code]).toEqual([[200, 401], 0])
})

it('systemd takes the unit, and what it starts is well and stops when told', async ({ skip }) => {
  skip(missing !== '', missing)
  const root = project('systemd')
  mkdirSync(join(root, 'mcp'))
  symlinkSync(join(installed.folder, 'node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'keys'), '[{ "name": "ann", "key": "a-long-secret" }]')
  const unit = read('mcp.service').replaceAll('/opt/mcp', root)
  writeFileSync(join(root, 'mcp.service'), unit)
  const [, line = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? []
  const port = await freePort()
  const command = [...line.replaceAll(/%[dS]/g, root).split(' '), '--port', String(port)]
  const { statuses, code } = await serveAndStop({ command, cwd: root, env: {} }, port, ['/readyz', '/mcp'])
  expect([statuses, code]).toEqual([[200, 401], 0])

  const verifier = '/usr/bin/systemd-analyze'
  skip(!existsSync(verifier), 'there is no systemd-analyze here')
  const { stdout, stderr } = await run(verifier, ['verify', '--man=no', join(root, 'mcp.service')])
  expect([stdout, stderr]).toEqual(['', ''])
})

it('what Kubernetes would start answers its probes', async ({ skip }) => {
  skip(missing !== '', missing)
  const [deployment, service] = parseAllDocuments(read('kubernetes.yaml')).map((one) => one.toJS())
  const { template, selector } = deployment.spec
  const [{ args, env, ports, livenessProbe, readinessProbe }] = template.spec.containers
  expect(template.metadata.labels).toEqual(selector.matchLabels)
  expect(service.spec.selector).toEqual(selector.matchLabels)
  expect(service.spec.ports[0].targetPort).toBe(ports[0].containerPort)
  expect(env.map(({ name }: { name: string }) => name)).toEqual([
    'PERIGEE_STORE',
    'PERIGEE_SECRET',
    'PERIGEE_API_KEY',
  ])

  const cwd = project('kubernetes')
  symlinkSync(join(installed.folder, 'node_modules'), join(cwd, 'node_modules'))
  const port = await freePort()
  const here: { readonly [argument: string]: string } = {
    '0.0.0.0': '127.0.0.1',
    [ports[0].containerPort]: String(port),
  }
  const command = [
    join(installed.folder, 'node_modules', '.bin', 'perigee'),
    ...args.map((argument: string) => here[argument] ?? argument),
  ]
  const secrets = {
    PERIGEE_STORE: `sqlite:${join(cwd, 'store.db')}`,
    PERIGEE_SECRET: 'at-least-sixteen-characters',
    PERIGEE_API_KEY: 'a-long-secret',
  }
  const paths = [livenessProbe.httpGet.path, readinessProbe.httpGet.path, '/metrics', '/mcp']
  const { statuses, code } = await serveAndStop({ command, cwd, env: secrets }, port, paths)
  expect([statuses, code]).toEqual([[200, 200, 200, 401], 0])
})
