import { statSync } from 'node:fs'
import type { Setting } from './ready-server.ts'

/** The folder that file tools may use. */
export function rootSetting(environment: string): Setting {
  return { environment, placeholder: 'DIR', description: 'the folder its file tools may use', fallback: '.' }
}

export function checkRoot(root = '.'): string {
  return checkFolder('root', root)
}

export function checkFolder(setting: string, path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  throw new Error(`${setting}: expected a folder, and ${JSON.stringify(path)} is none`)
}
