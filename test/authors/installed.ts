import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const NPM = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }

/** The package as others get it: a tarball, and a folder where it is installed, with nothing optional. */
export class Installed {
  readonly folder = mkdtempSync(join(tmpdir(), 'perigee-installed-'))
  readonly tarball: string
  /** For what runs npm: it takes what it has before it asks for more, and leaves nothing behind. */
  readonly environment: NodeJS.ProcessEnv
  /** Why there is no such folder, if there is none. */
  readonly missing: string = ''

  constructor(tools: readonly string[] = []) {
    this.environment = { ...process.env, ...NPM, npm_config_cache: this.#shareCache() }
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', this.folder], {
      cwd: ROOT,
    })
    const [name = ''] = readdirSync(this.folder).filter((file) => file.endsWith('.tgz'))
    this.tarball = join(this.folder, name)
    writeFileSync(join(this.folder, 'package.json'), '{"private":true,"type":"module"}')
    this.missing = this.#install(this.folder, ['--omit=optional', this.tarball])
    if (tools.length > 0)
      this.missing ||= this.#install(join(this.folder, 'tools'), ['--ignore-scripts', ...tools])
  }

  /** A folder where nothing has been done yet. */
  fresh(name: string): string {
    const folder = join(this.folder, name)
    mkdirSync(folder)
    return folder
  }

  /** Has somebody else's package beside the files, as it stands in our own folder. */
  borrow(name: string): void {
    cpSync(join(ROOT, 'node_modules', name), join(this.folder, 'node_modules', name), { recursive: true })
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }

  /** A cache of its own, in which the packages are those of everybody. */
  #shareCache(): string {
    const shared = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8', stdio: 'pipe' }).trim()
    const cache = join(this.folder, 'cache')
    mkdirSync(join(shared, '_cacache'), { recursive: true })
    mkdirSync(cache)
    symlinkSync(join(shared, '_cacache'), join(cache, '_cacache'))
    return cache
  }

  #install(prefix: string, args: readonly string[]): string {
    mkdirSync(prefix, { recursive: true })
    const options = { cwd: prefix, env: this.environment, timeout: 120_000, stdio: 'pipe' as const }
    try {
      execFileSync('npm', ['install', '--prefix', prefix, '--no-save', ...args], options)
      return ''
    } catch (error) {
      return `${args.at(-1)} cannot be installed: ${String(error).split('\n')[0]}`
    }
  }
}
