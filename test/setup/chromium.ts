import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installDebian } from '../../scripts/install-debian.mjs'

/** The path of Debian's Chromium, which root installs when it is not there; throws an Error that says why it is not. */
export async function findChromium(): Promise<string> {
  const found = findInPath()
  if (found !== undefined) return found
  await installDebian('chromium', 'Chromium is not installed: apt-get install chromium')
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
