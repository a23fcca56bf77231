import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { findTool, freshFolder, installed } from './installed.ts'
import { matcherOf, sessionsIn, Terminal } from './typed-session.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const EXAMPLES = join(ROOT, 'examples')
const missing = installed.missing.package || installed.missing.tools || installed.missing.nodes
const run = promisify(execFile)

const names = readdirSync(EXAMPLES).filter((name) => statSync(join(EXAMPLES, name)).isDirectory())
const project = missing === '' ? freshFolder('examples') : ''

/** What the examples import beside Perigee, and what compiles them. */
const BESIDE = [
  ...['express', 'fastify', '@hono/node-server', 'hono', 'jose'],
  ...['zod', 'valibot', '@valibot/to-json-schema', 'arktype', 'quickjs-wasi'],
  ...['@types/node', '@types/express', 'undici-types'],
]

/** Node 22, the oldest that reads TypeScript itself. */
const NODE = join(installed.folder, 'nodes', 'newer', 'package', 'bin')
const ENVIRONMENT = {
  ...process.env,
  ...installed.environment,
  PATH: [join(project, 'bin'), join(project, 'node_modules', '.bin'), NODE, process.env['PATH']].join(
    delimiter,
  ),
  HOME: project,
  PERIGEE_HOME: join(project, 'home'),
  XDG_DATA_HOME: join(project, 'data'),
  NODE_NO_WARNINGS: '1', // That of SQLite and of TypeScript: Node 22 calls both experimental.
  NO_COLOR: '1',
}

/** A user's project: the tarball, what the examples import, and the strict settings that `perigee create` gives. */
beforeAll(async () => {
  if (missing !== '') return
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
  const args = ['install', '--no-save', '--ignore-scripts', '--omit=peer', installed.tarball]
  await run('npm', args, { cwd: project, env: ENVIRONMENT })
  for (const name of BESIDE) link(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  for (const name of ['esbuild', 'workerd'] as const) link(findTool(name), join(project, 'bin', name))
  cpSync(join(ROOT, 'templates', 'project', 'tsconfig.json'), join(project, 'tsconfig.json'))
  for (const name of names) cpSync(join(EXAMPLES, name), join(project, name), { recursive: true })
})

function link(from: string, to: string): void {
  mkdirSync(join(to, '..'), { recursive: true })
  if (statSync(to, { throwIfNoEntry: false }) === undefined) symlinkSync(from, to)
}

it('they compile in a project with the package installed, strictly', async ({ skip }) => {
  skip(missing !== '', missing)
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc')
  const said = await run(compiler, ['-p', project, '--noEmit']).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
  expect(said).toBe('')
})

describe.concurrent('what a README shows is what is seen', () => {
  it.for(names)('%s', async (name, { skip, expect }) => {
    skip(missing !== '', missing)
    const folder = join(project, name)
    const port = await movePorts(folder)
    const sessions = sessionsIn(readFileSync(join(folder, 'README.md'), 'utf8'))
    expect(sessions.flat().length).toBeGreaterThan(0)
    for (const session of sessions) {
      const terminal = new Terminal(folder, ENVIRONMENT)
      try {
        for (const typed of session)
          expect(await terminal.type(typed, port), typed.command).toMatch(matcherOf(typed.seen))
      } finally {
        await terminal.close()
      }
    }
  })
})

/** Pages and programs name two ports; here they are whichever are free. */
async function movePorts(folder: string): Promise<number> {
  const [port, second] = [await freePort(), await freePort()]
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name)
    const text = readFileSync(file, 'utf8').replaceAll('8181', String(port))
    writeFileSync(file, text.replaceAll('8182', String(second)))
  }
  return port
}
