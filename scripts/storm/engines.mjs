import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../postgres.mjs'
import { startRedis } from '../redis.mjs'

/** What nodes share: `{ nodes, url?, urlFor(name), halt?, start?, stop }`; with a name of its own it is shared by fewer. */
export const ENGINES = {
  /** Nothing is shared, so there is one node, and it is not killed. */
  memory: async () => ({ nodes: 1, stop: async () => {} }),
  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-storm-'))
    const urlFor = (name) => `sqlite:${join(folder, `${name}.db`)}`
    const stop = async () => rmSync(folder, { recursive: true, force: true })
    return { nodes: 3, url: urlFor('storm'), urlFor, stop }
  },
  redis: async () => prefixed(await startRedis()),
  postgres: async () => prefixed(await startPostgres()),
}

function prefixed(engine) {
  return { nodes: 3, urlFor: (name) => `${engine.url}?prefix=${name}`, ...engine }
}
