import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The path of Debian's Chromium, which root installs when it is not there; throws an Error that says why it is not. */
export async function findChromium(): Promise<string> {
  const found = findInPath()
  if (found !== undefined) return found
  if (process.getuid?.() !== 0) throw new Error('Chromium is not installed: apt-get install chromium')
  const quiet = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  await run('apt-get', ['update'], quiet).catch(() => {}) // The lists that are there may do.
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], quiet)
  const installed = findInPath()
  if (installed === undefined) throw new Error('apt-get installed Chromium, but not in the path')
  return installed
}

function findInPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, 'chromium')).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
