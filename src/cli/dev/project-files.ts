import { type Dirent, readdirSync } from 'node:fs'

const CODE = /\.[cm]?[jt]sx?$/
/** Types, tests, and what editors put beside a file while somebody works on it. */
const NO_CODE = /\.d\.[cm]?ts$|\.(?:test|spec)\.[cm]?[jt]sx?$|^\.#/

export function isCode(name: string): boolean {
  return CODE.test(name) && !NO_CODE.test(name)
}

export function readFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // It is gone.
  }
}
