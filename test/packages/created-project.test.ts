import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { freshFolder, installed } from './installed.ts'

const run = promisify(execFile)
const missing = installed.missing.package || installed.missing.nodes

/** Nodes to make a project with: the oldest that will do, one that reads TypeScript, and a newer one. */
const NODES = { 'Node 20': 'least', 'Node 22': 'newer', 'Node 24': 'newest' } as const

it.for(Object.keys(NODES) as (keyof typeof NODES)[])(
  'with %s, perigee create makes a project that passes its tests, builds and is served',
  { timeout: 600_000 },
  async (name, { skip }) => {
    skip(missing !== '', missing)
    const bin = join(installed.folder, 'nodes', NODES[name], 'package', 'bin')
    const folder = freshFolder(`create ${name}`)
    const env = { ...process.env, ...installed.environment, PATH: `${bin}${delimiter}${process.env['PATH']}` }
    const sh = async (command: string, cwd: string) => (await run('sh', ['-c', command], { cwd, env })).stdout
    const project = join(folder, 'x')

    expect(await sh('node --version', folder)).toContain(`v${name.slice('Node '.length)}.`)
    const perigee = join(installed.folder, 'node_modules', '.bin', 'perigee')
    const said = await sh(`'${perigee}' create x`, folder)
    expect(said).toContain('npm install\n  npm test')
    const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    expect(dependencies).toEqual({ perigee: `file:${installed.tarball}` })

    await sh(`npm install --ignore-scripts '${installed.tarball}'`, project)
    expect(await sh('npm test', project)).toMatch(/^(# |ℹ )pass 2$/m)
    await sh('npx tsc --noEmit --strict', project)
    await sh('rm -rf dist && npm run build', project)
    expect(existsSync(join(project, 'dist', 'server.js'))).toBe(true)

    // The file itself, the same while one works on it, and what was built of it.
    for (const serve of ['npx perigee serve server.ts', 'npm run --silent dev', 'npm start --silent'])
      expect([serve, await sh(`npx perigee call hello name=you -- ${serve}`, project)]).toEqual([
        serve,
        'Hello, you!\n',
      ])
  },
)
