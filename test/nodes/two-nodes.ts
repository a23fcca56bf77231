import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServeHttpOptions, ServerDefinition, Store } from '../../src/index.ts'
import { openSqliteStore } from '../../src/stores/sqlite.ts'
import { Host } from '../http/host.ts'
import { createSample, type Sample } from '../http/sample.ts'

/** Two servers that share one file, as two processes would. */
export class TwoNodes implements AsyncDisposable {
  readonly a: Host
  readonly b: Host
  readonly #folder: string
  readonly #stores: readonly Store[]

  private constructor(hosts: readonly [Host, Host], folder: string, stores: readonly Store[]) {
    this.a = hosts[0]
    this.b = hosts[1]
    this.#folder = folder
    this.#stores = stores
  }

  static async start(
    settings: ServeHttpOptions = {},
    wrap = (store: Store) => store,
    create: (given: Partial<ServerDefinition>) => Sample = createSample,
  ): Promise<TwoNodes> {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-nodes-'))
    const open = () => wrap(openSqliteStore({ path: join(folder, 'shared.db'), pollMs: 10 }))
    const stores = [open(), open()] as const
    const start = (store: Store) =>
      Host.start(settings, create({ store, secrets: ['a secret that both nodes know'] }))
    const hosts = [await start(stores[0]), await start(stores[1])] as const
    return new TwoNodes([...hosts], folder, stores)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.a[Symbol.asyncDispose](), this.b[Symbol.asyncDispose]()])
    await Promise.all(this.#stores.map((store) => store.close()))
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
