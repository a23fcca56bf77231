import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isCode, readFolder } from './project-files.ts'

const IMPORT = /\b(?:from|import|require)\s*\(?\s*['"](?:[^'"\n]*\/)?([^'"\n/]+\.json)['"]/g

/** Code that people write is shorter. */
const MAX_FILE_BYTES = 1024 * 1024

/** A server may write JSON beside its code, which is no reason to start it again; what it imports is. */
export class ImportedJson {
  readonly #folders: () => Iterable<string>
  #names: ReadonlySet<string> | undefined

  constructor(folders: () => Iterable<string>) {
    this.#folders = folders
  }

  /** Whether a file of that name is imported somewhere. All code is read for it, once until it changes. */
  has(name: string): boolean {
    this.#names ??= new Set([...this.#folders()].flatMap(namesIn))
    return this.#names.has(name)
  }

  forget(): void {
    this.#names = undefined
  }
}

function namesIn(folder: string): readonly string[] {
  return readFolder(folder).flatMap(({ name }) => {
    const text = isCode(name) ? readCode(join(folder, name)) : ''
    return [...text.matchAll(IMPORT)].map(([, imported = '']) => imported)
  })
}

/** A folder or a pipe may be called like a file. */
function readCode(path: string): string {
  try {
    const found = statSync(path)
    return found.isFile() && found.size <= MAX_FILE_BYTES ? readFileSync(path, 'utf8') : ''
  } catch {
    return '' // It is gone, or not ours to read.
  }
}
