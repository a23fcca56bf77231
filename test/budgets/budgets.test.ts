import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { defineServer, serveHttp } from '../../src/index.ts'
import { BUDGET_NAMES, BUDGETS, flagOf } from '../../src/kernel/index.ts'
import { prometheus } from '../../src/middleware/telemetry/index.ts'
import { parsePrometheus } from '../telemetry/prometheus-parser.ts'

const OPERATORS = join(import.meta.dirname, '..', '..', 'docs', 'OPERATORS.md')

function printRow(name: (typeof BUDGET_NAMES)[number]): string {
  const { limit, of, past } = BUDGETS[name]
  return `| \`--${flagOf(name)}\` | ${limit.toLocaleString('en')} | ${of} | ${past} |`
}

/** `npm run docs` writes what is missing. */
it('tells operators of every budget', () => {
  const rows = BUDGET_NAMES.map(printRow).join('\n')
  const text = readFileSync(OPERATORS, 'utf8')
  const table = /(?<=\| flag \| default \| bounds \| past it \|\n\|---\|---\|---\|---\|\n)(?:\|.*\|\n?)*/
  const written = text.replace(table, `${rows}\n`)
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(OPERATORS, written)
  else expect(text).toBe(written)
})

it('has a flag of its own for every budget', () => {
  const flags = BUDGET_NAMES.map(flagOf)
  expect(new Set(flags).size).toBe(flags.length)
  expect(flagOf('maxBodyBytes')).toBe('max-body')
  expect(flagOf('maxStreamsPerSession')).toBe('max-streams-per-session')
})

it('shows the limit of every budget, and how much of it is used', () => {
  const server = defineServer({ name: 'counted', version: '1', budgets: { maxSessions: 7 } })
  const sink = prometheus()
  sink.watch(server)
  const stop = server.usage.watch('maxSessions', () => 3)
  server.usage.saw('maxBodyBytes', 200)
  server.usage.saw('maxBodyBytes', 100)
  const read = (family: string, budget: string) =>
    parsePrometheus(sink.render())
      .get(family)
      ?.samples.find(({ labels }) => labels['budget'] === budget)?.value
  expect(read('mcp_server_budget_limit', 'maxSessions')).toBe(7)
  expect(read('mcp_server_budget_used', 'maxSessions')).toBe(3)
  expect(read('mcp_server_budget_used', 'maxBodyBytes')).toBe(200)
  stop()
  expect(read('mcp_server_budget_used', 'maxSessions')).toBe(0)
  for (const name of BUDGET_NAMES) expect(read('mcp_server_budget_limit', name)).toBeGreaterThan(0)
})

it('nothing is used of a server that nobody has used', async () => {
  const server = defineServer({ name: 'idle', version: '1' })
  const http = await serveHttp(server, { port: 0 })
  const used = BUDGET_NAMES.filter((name) => server.usage.read(name) !== 0)
  await http.close(0)
  expect(used).toEqual([])
})
