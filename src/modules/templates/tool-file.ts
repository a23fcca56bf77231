import { open, readFile, rename, rm } from 'node:fs/promises'
import { describe, isObject } from '../../kernel/index.ts'
import type { WantedTool } from './made-tool.ts'

/** A tool as it stands in the file; without an owner it is of those who call without a key. */
export interface FiledTool extends WantedTool {
  readonly owner?: string
}

type Admit = (own: readonly WantedTool[]) => void

/** A file of tools that outlive the process, as JSON that a person can read and write. */
export class ToolFile {
  readonly #path: string
  /** Changes are made one after the other, each on what the file says by then; other servers may write into it, too. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  /** A file that is not there yet has none. */
  async read(): Promise<readonly FiledTool[]> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '[]'
      throw new Error(`${this.#path} cannot be read (${error.code})`)
    })
    return checkTools(this.#path, parse(this.#path, text))
  }

  /** What its owner has in the file by then is shown to `admit`, which throws where there is no room. */
  add(owner: string, { name, description, template }: WantedTool, admit?: Admit): Promise<void> {
    const added = { name, description, template, ...(owner !== '' && { owner }) }
    return this.#change((tools) => {
      const others = tools.filter((tool) => !isOf(tool, owner, name))
      admit?.(others.filter((tool) => (tool.owner ?? '') === owner))
      return [...others, added]
    })
  }

  remove(owner: string, name: string): Promise<void> {
    return this.#change((tools) => tools.filter((tool) => !isOf(tool, owner, name)))
  }

  #change(change: (tools: readonly FiledTool[]) => readonly FiledTool[]): Promise<void> {
    const changed = this.#last.then(() => this.#rewrite(change)).catch((error) => this.#tell(error))
    this.#last = changed.catch(() => {}) // Whoever asked for it is told.
    return changed
  }

  async #rewrite(change: (tools: readonly FiledTool[]) => readonly FiledTool[]): Promise<void> {
    const { underLock } = await import('../../confined/private-file.ts') // Most servers write none.
    await underLock(this.#path, async () => this.#write(change(await this.read())))
  }

  /** Whoever looks finds the old list or the new one. */
  async #write(tools: readonly FiledTool[]): Promise<void> {
    const beside = `${this.#path}.${crypto.randomUUID().slice(0, 8)}.tmp`
    try {
      const file = await open(beside, 'wx', 0o600)
      try {
        await file.writeFile(`${JSON.stringify(tools, undefined, 2)}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(beside, this.#path)
    } catch (error) {
      await rm(beside, { force: true })
      throw error
    }
  }

  #tell(error: NodeJS.ErrnoException): never {
    throw error.code === undefined ? error : new Error(`${this.#path} cannot be written (${error.code})`)
  }
}

function isOf(tool: FiledTool, owner: string, name: string): boolean {
  return tool.name === name && (tool.owner ?? '') === owner
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${path} is not JSON: expected [{ "name", "description", "template" }, …]`)
  }
}

function checkTools(path: string, value: unknown): readonly FiledTool[] {
  if (!Array.isArray(value)) throw new Error(`${path}: expected a list of tools, got ${describe(value)}`)
  for (const [index, tool] of value.entries()) {
    for (const member of ['name', 'description', 'template']) {
      const found = isObject(tool) ? tool[member] : undefined
      if (typeof found === 'string') continue
      throw new Error(`${path}: [${index}].${member}: expected a string, got ${describe(found)}`)
    }
  }
  return value
}
