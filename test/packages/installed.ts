import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** What the set-up has made for all of these tests. */
export interface Installed {
  readonly folder: string
  readonly tarball: string
  readonly environment: { readonly [name: string]: string }
  /** Why something is not there, or ''. */
  readonly missing: { readonly package: string; readonly tools: string; readonly nodes: string }
}

declare module 'vitest' {
  export interface ProvidedContext {
    installed: Installed
  }
}

export const installed = inject('installed')

/** A folder where nothing has been done yet, not even by a try before this one. */
export function freshFolder(name: string): string {
  const folder = join(installed.folder, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  return folder
}

const BINARIES = {
  bun: ['@oven', 'bin/bun'],
  deno: ['@deno', 'deno'],
  esbuild: ['@esbuild', 'bin/esbuild'],
  workerd: ['@cloudflare', 'bin/workerd'],
} as const

/** The binary itself: what stands in .bin would start it as a process of its own, or wait for a script to bring it. */
export function findTool(name: keyof typeof BINARIES): string {
  const [scope, file] = BINARIES[name]
  const folder = join(installed.folder, 'tools', 'node_modules', scope)
  const tool = readdirSync(folder)
    .map((platform) => join(folder, platform, file))
    .find((path) => existsSync(path))
  if (tool === undefined) throw new Error(`${folder} has no ${file}`)
  chmodSync(tool, 0o755)
  return tool
}
