import { describe, expect, it } from 'vitest'
import type { Server } from '../../src/kernel/index.ts'
import { SERVERS } from '../../src/servers/index.ts'

/** A ready server as it is made when nothing is set, with nothing kept on disk. */
async function create(name: string): Promise<Server> {
  const load = SERVERS[name]
  if (load === undefined) throw new Error(`there is no server ${name}`)
  const settings = { root: '.', store: 'memory:', tasks: 'memory:' }
  return (await load()).create({ settings, lists: {}, modules: [], budgets: {} })
}

function offersOf({ tools, resources, templates, prompts, extensions }: Server) {
  return [
    ...[...tools, ...resources, ...templates, ...prompts].map(({ key, scopes }) => ({ name: key, scopes })),
    ...extensions.map(({ id, scopes = [] }) => ({ name: id, scopes })),
  ]
}

describe.each(Object.keys(SERVERS))('%s', (name) => {
  it('asks for a scope, whatever it offers', async () => {
    const offers = offersOf(await create(name))
    expect(offers.length).toBeGreaterThan(0)
    expect(offers.filter(({ scopes }) => scopes.length === 0)).toEqual([])
  })
})
