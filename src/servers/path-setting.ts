import { dirname, resolve } from 'node:path'
import { look } from '../process/look.ts'

/** What cannot be is an Error that begins with the name of the setting. */
export function checkFolder(setting: string, path: string): string {
  if (look(path)?.isDirectory()) return path
  throw new Error(`${setting}: expected a folder, and ${JSON.stringify(path)} is none`)
}

/** The same for a file that is to be read. */
export function checkFile(setting: string, path: string): string {
  const found = look(path)
  if (found === undefined) throw new Error(`${setting}: there is no file ${path}`)
  if (found.isDirectory()) throw new Error(`${setting}: ${path} is a folder: name a file in it`)
  return path
}

/** The same for a file that is written to, and made where it is not there, with the folders that it is in. */
export function checkKeptFile(setting: string, path: string): string {
  if (look(path)?.isDirectory()) throw new Error(`${setting}: ${path} is a folder: name a file in it`)
  let there = resolve(path)
  while (look(there) === undefined) there = dirname(there)
  if (there === resolve(path) || look(there)?.isDirectory() === true) return path
  throw new Error(`${setting}: ${path} cannot be made, since ${there} is no folder`)
}
