import { homedir } from 'node:os'
import { basename, dirname, resolve } from 'node:path'

/** The folder of the project that a host's file belongs to: the one that holds it, or holds .vscode, .cursor and their like. */
export function workspaceOf(file: string): string {
  const folder = dirname(resolve(file))
  return /^\.[a-z]/.test(basename(folder)) && folder !== homedir() ? dirname(folder) : folder
}

/** What hosts fill in that is no variable of the environment. */
export function hostVariables(file: string): { readonly [name: string]: string } {
  const workspaceFolder = workspaceOf(file)
  return { workspaceFolder, workspaceFolderBasename: basename(workspaceFolder), userHome: homedir() }
}
