import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createTestClient, type TestClient, type TestClientOptions } from '../../src/client/test-client.ts'
import type { Budgets, JsonObject, Server } from '../../src/kernel/index.ts'
import { type FilesOptions, files } from '../../src/modules/files/index.ts'

/** A folder with files, by their paths. */
export function createFolder(contents: { readonly [path: string]: string | Buffer } = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'files-desk-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** A client of a server with every file tool. */
export class FileDesk {
  readonly client: TestClient
  readonly server: Server

  constructor(client: TestClient, server: Server) {
    this.client = client
    this.server = server
  }

  static async open(
    options: FilesOptions,
    client: TestClientOptions = {},
    budgets: Partial<Budgets> = {},
  ): Promise<FileDesk> {
    const server = defineServer({
      name: 'desk',
      version: '1',
      budgets,
      modules: [files({ extent: 'full', ...options })],
    })
    const desk = new FileDesk(await createTestClient(server, client), server)
    onTestFinished(async () => {
      desk.client.close()
      await server.close()
    })
    return desk
  }

  /** The text of an answer, with `error: ` before one that failed. */
  async say(tool: string, args: JsonObject = {}): Promise<string> {
    const { content, isError } = await this.client.callTool(tool, args)
    const texts = content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    return `${isError === true ? 'error: ' : ''}${texts.join('\n')}`
  }

  /** The data of an answer. */
  async data<Value>(tool: string, args: JsonObject = {}): Promise<Value> {
    const { structuredContent, content, isError } = await this.client.callTool(tool, args)
    if (isError === true) throw new Error(JSON.stringify(content))
    return structuredContent as Value
  }
}
