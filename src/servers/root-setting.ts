import { statSync } from 'node:fs'
import type { Setting } from './ready-server.ts'

/** The folder that file tools may use. */
export function rootSetting(environment: string): Setting {
  return { environment, placeholder: 'DIR', description: 'the folder its file tools may use', fallback: '.' }
}

export function checkRoot(root = '.'): string {
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return root
  throw new Error(`root: expected a folder, and ${JSON.stringify(root)} is none`)
}
