import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Server } from '../../src/kernel/index.ts'
import { SERVERS } from '../../src/servers/index.ts'

const OPERATORS = join(import.meta.dirname, '..', '..', 'docs', 'OPERATORS.md')

/** A ready server with everything that it can offer, and with nothing kept on disk. */
async function create(name: string): Promise<Server> {
  const load = SERVERS[name]
  if (load === undefined) throw new Error(`there is no server ${name}`)
  const settings = { root: '.', full: 'true', store: 'memory:', tasks: 'memory:', skills: '.' }
  return (await load()).create({
    settings,
    lists: {},
    modules: [],
    budgets: {},
    unscoped: 'open',
    shown: {},
    nodes: {},
    sources: {},
  })
}

interface Offered {
  readonly name: string
  readonly scopes: readonly string[]
}

function offersOf({ tools, resources, templates, prompts, extensions, dialect }: Server): readonly Offered[] {
  return [
    ...[...tools, ...resources, ...templates, ...prompts].map(({ key, scopes }) => ({ name: key, scopes })),
    ...extensions.map(({ id, scopes = [] }) => ({ name: id, scopes })),
    ...(dialect.exit !== 'refused' ? [{ name: 'exit', scopes: ['exit'] }] : []),
  ]
}

describe.each(Object.keys(SERVERS))('%s', (name) => {
  it('asks for a scope, whatever it offers', async () => {
    const offers = offersOf(await create(name))
    expect(offers.length).toBeGreaterThan(0)
    expect(offers.filter(({ scopes }) => scopes.length === 0)).toEqual([])
  })
})

/** `npm run docs` writes what is missing. */
it('tells operators what each scope opens, and where', async () => {
  const opened = new Map<string, { readonly names: Set<string>; readonly servers: Set<string> }>()
  for (const server of Object.keys(SERVERS)) {
    for (const { name, scopes } of offersOf(await create(server))) {
      for (const scope of scopes) {
        const row = opened.get(scope) ?? { names: new Set(), servers: new Set() }
        opened.set(scope, row)
        row.names.add(`\`${name}\``)
        row.servers.add(server)
      }
    }
  }
  const rows = [...opened]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([scope, { names, servers }]) =>
        `| \`${scope}\` | ${[...names].join(', ')} | ${[...servers].join(', ')} |`,
    )
  const text = readFileSync(OPERATORS, 'utf8')
  const table = /(?<=\| scope \| opens \| on \|\n\|---\|---\|---\|\n)(?:\|.*\|\n?)*/
  const written = text.replace(table, `${rows.join('\n')}\n`)
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(OPERATORS, written)
  else expect(text).toBe(written)
  expect(text).toMatch(table)
})
