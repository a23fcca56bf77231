import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createTestClient, ErrorReply, type ServerDefinition, type TestClient } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { skills } from '../../src/modules/skills/index.ts'

/** A folder of skills of its own, in a folder that holds things nobody may see. */
export class Shelf implements AsyncDisposable {
  readonly base: string
  readonly reports: string[] = []

  private constructor(base: string) {
    this.base = base
  }

  static async create(): Promise<Shelf> {
    const shelf = new Shelf(await realpath(await mkdtemp(join(tmpdir(), 'skills-'))))
    await mkdir(shelf.root)
    return shelf
  }

  get root(): string {
    return join(this.base, 'root')
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    const file = join(this.root, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }

  /** A folder with a good SKILL.md. */
  async writeSkill(path: string, more = ''): Promise<void> {
    const name = path.split('/').at(-1)
    await this.write(
      `${path}/SKILL.md`,
      `---\nname: ${name}\ndescription: What ${name} does\n${more}---\n\n# ${name}\n`,
    )
  }

  serve(definition: Partial<ServerDefinition> = {}): Server {
    const modules = [skills({ root: this.root, report: (message) => this.reports.push(message) })]
    return defineServer({ name: 'shelf', version: '1.0.0', modules, ...definition })
  }

  connect(revision?: string): Promise<TestClient> {
    return createTestClient(this.serve(), revision === undefined ? {} : { revision })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.base, { recursive: true, force: true })
  }
}

export interface Entry {
  readonly uri: string
  readonly frontmatter: { readonly [field: string]: unknown }
  readonly resources: readonly { readonly uri: string; readonly digest: string; readonly size: number }[]
}

export interface Contents {
  readonly uri: string
  readonly mimeType: string
  readonly text?: string
  readonly blob?: string
}

export async function listSkills(client: TestClient): Promise<readonly Entry[]> {
  return (await client.request('skills/list'))['skills'] as readonly Entry[]
}

export async function readContents(client: TestClient, uri: string): Promise<Contents> {
  const { contents } = await client.request('resources/read', { uri })
  const [only] = contents as readonly Contents[]
  if (only === undefined) throw new Error(`no contents: ${uri}`)
  return only
}

/** The code a request is refused with; undefined if it is not. */
export async function codeOf(
  client: TestClient,
  method: string,
  params?: { readonly [key: string]: unknown },
): Promise<number | undefined> {
  try {
    await client.request(method, params)
    return undefined
  } catch (error) {
    if (error instanceof ErrorReply) return error.code
    throw error
  }
}
