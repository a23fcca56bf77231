import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../postgres.mjs'

/** What nodes share: `{ nodes, url?, halt?, start?, stop }`. */
export const ENGINES = {
  /** Nothing is shared, so there is one node, and it is not killed. */
  memory: async () => ({ nodes: 1, stop: async () => {} }),
  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-storm-'))
    const stop = async () => rmSync(folder, { recursive: true, force: true })
    return { nodes: 3, url: `sqlite:${join(folder, 'storm.db')}`, stop }
  },
  postgres: async () => ({ nodes: 3, ...(await startPostgres()) }),
}
