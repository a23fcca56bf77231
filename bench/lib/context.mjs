import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer'
import MiniSearch from 'minisearch'
import { printTable } from '../../dist/bench/index.js'
import { createTestClient, defineModule, defineServer } from '../../dist/index.js'
import { ROOT } from './contenders.mjs'

/** LiveMCPBench's catalogue, which is read where it lies. */
const FOLDER = join(ROOT, process.env.LIVEMCPBENCH_DIR ?? '../shared/data/livemcpbench')
const FIRST = [1, 5, 10, 20]
const TOKENS_OF_BOTH = 900

/** How well tools are found, and what a list costs a model, with and without a search before it. */
export async function benchContext({ write }) {
  if (!existsSync(join(FOLDER, 'tools.json'))) {
    console.error(
      `!!! LiveMCPBench's catalogue is missing: there is no ${FOLDER}/tools.json. Set LIVEMCPBENCH_DIR.`,
    )
    process.exit(2)
  }
  const tools = readJson('tools.json')
  const pairs = pairsOf(readJson('tasks.json'), new Set(tools.map(({ name }) => name)))
  const rows = [
    { name: 'BM25, with the formula, words and text of FastMCP', found: recallOf(pairs, bm25(tools)) },
    { name: 'MiniSearch as it comes', found: recallOf(pairs, miniSearch(tools)) },
    { name: 'MiniSearch, tuned: split names, stems, weights, servers', found: recallOf(pairs, tuned(tools)) },
    { name: 'perigee, `offer: search`', found: await recallThrough(pairs, await clientOf(tools, 'search')) },
  ]
  const costs = await costsOf(tools)
  report({ rows, costs, pairs: pairs.length, tools: tools.length }, write)
  const ours = rows.at(-1).found
  return [
    promise('recall@5', ours[1] >= 0.6),
    promise('recall@1', ours[0] >= 0.42),
    promise('tokens of search and run', costs.code < TOKENS_OF_BOTH),
  ]
}

const promise = (name, kept) => ({ name, state: kept ? 'kept' : 'not kept' })

const readJson = (file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))

/** Each tool of a task with the step it is for: of the same number where there are as many, else in proportion. */
function pairsOf(tasks, names) {
  return tasks.flatMap(({ steps, tools }) =>
    tools
      .map((tool, at) => ({ tool, step: steps[Math.floor((at * steps.length) / tools.length)] }))
      .filter(({ tool }) => names.has(tool)),
  )
}

function recallOf(pairs, search) {
  const places = pairs.map(({ step, tool }) => search(step).indexOf(tool))
  return FIRST.map((first) => places.filter((at) => at >= 0 && at < first).length / pairs.length)
}

const textOf = ({ name, description = '', inputSchema }) =>
  [name, description, parametersOf(inputSchema)].join(' ')

const parametersOf = (schema) =>
  Object.entries(schema?.properties ?? {})
    .map(([name, one]) => `${name} ${one?.description ?? ''}`)
    .join(' ')

function bm25(tools) {
  const words = (text) => (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => word.length > 1)
  const documents = tools.map((tool) => words(textOf(tool)))
  const usual = documents.reduce((sum, { length }) => sum + length, 0) / tools.length
  const counts = documents.map((document) => countOf(document))
  const having = countOf(documents.flatMap((document) => [...new Set(document)]))
  const weight = (word, at) => {
    const often = counts[at].get(word) ?? 0
    const rarity = Math.log((tools.length - having.get(word) + 0.5) / (having.get(word) + 0.5) + 1)
    return (rarity * often * 2.5) / (often + 1.5 * (0.25 + (0.75 * documents[at].length) / usual))
  }
  return (query) => {
    const asked = words(query).filter((word) => having.has(word))
    return tools
      .map(({ name }, at) => ({ name, score: asked.reduce((sum, word) => sum + weight(word, at), 0) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .map(({ name }) => name)
  }
}

function countOf(words) {
  const counts = new Map()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const fieldsOf = (tool, id) => ({
  id,
  name: tool.name,
  description: tool.description ?? '',
  parameters: parametersOf(tool.inputSchema),
  about: `${tool.server} ${tool.serverDescription}`,
})

function miniSearch(tools) {
  const index = new MiniSearch({ fields: ['name', 'description', 'parameters'] })
  index.addAll(tools.map(fieldsOf))
  return (query) => index.search(query).map(({ id }) => tools[id].name)
}

function tuned(tools) {
  const index = new MiniSearch({
    fields: ['name', 'description', 'parameters', 'about'],
    tokenize: (text) => text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').match(/[\p{L}\p{N}]+/gu) ?? [],
    processTerm: (term) => stem(term.toLowerCase()),
    searchOptions: {
      boost: { name: 3, description: 1, parameters: 0.3, about: 0.6 },
      prefix: (term) => term.length > 3,
      fuzzy: 0.2,
    },
  })
  index.addAll(tools.map(fieldsOf))
  return (query) => index.search(query).map(({ id }) => tools[id].name)
}

const SMALL = new Set(
  'a an and are as at be by for from in into is it of on or that the this to with'.split(' '),
)

function stem(term) {
  if (SMALL.has(term)) return null
  const bare = term
    .replace(/(ies)$/, 'y')
    .replace(/(?<!s)s$/, '')
    .replace(/(ing|ed|ion|er)$/, '')
  return bare.length < 3 ? term : bare.replace(/e$/, '')
}

/** Several servers may have a tool of the same name; each but the first gets a mark that is taken off again. */
const MARK = /__\d+$/

async function clientOf(tools, offer) {
  const seen = new Map()
  const servers = Map.groupBy?.(tools, ({ server }) => server) ?? groupsOf(tools)
  const modules = [...servers].map(([server, own], at) =>
    defineModule({
      name: `server-${at}`,
      description: `${server} ${own[0].serverDescription}`,
      tools: own.map(({ name, description, inputSchema }) => {
        const times = (seen.get(name) ?? 0) + 1
        seen.set(name, times)
        const marked = times === 1 ? name : `${name}__${times}`
        return { name: marked, description: description ?? '', input: looseOf(inputSchema), run: () => '' }
      }),
    }),
  )
  return createTestClient(defineServer({ name: 'catalogue', version: '1', offer, modules, reports: true }))
}

/** What is searched of a schema; some of those in the catalogue are no schemas. */
function looseOf(schema) {
  const properties = Object.entries(schema?.properties ?? {}).map(([name, one]) => [
    name,
    typeof one?.description === 'string' ? { description: one.description } : {},
  ])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function groupsOf(tools) {
  const groups = new Map()
  for (const tool of tools) groups.set(tool.server, [...(groups.get(tool.server) ?? []), tool])
  return groups
}

async function recallThrough(pairs, client) {
  const found = new Map()
  for (const { step } of pairs) {
    if (found.has(step)) continue
    const { structuredContent } = await client.callTool('search', { query: step, limit: FIRST.at(-1) })
    found.set(
      step,
      structuredContent.tools.map(({ name }) => name.replace(MARK, '')),
    )
  }
  return recallOf(pairs, (step) => found.get(step))
}

/** What the list costs, by the tokens of a public tokenizer. */
async function costsOf(tools) {
  const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  const tokens = (value) => countTokens(JSON.stringify(value))
  const shown = async (offer) => tokens({ tools: await (await clientOf(tools, offer)).tools() })
  return { all: tokens({ tools: listed }), search: await shown('search'), code: await shown('code') }
}

function report({ rows, costs, pairs, tools }, write) {
  const table = printTable(
    ['', ...FIRST.map((first) => `recall@${first}`)],
    rows.map(({ name, found }) => [name, ...found.map((share) => share.toFixed(3))]),
  )
  const price = printTable(
    ['what a model is shown', 'tokens'],
    [
      [`all ${tools} tools`, String(costs.all)],
      ['`offer: search`: `search` and `call`, whole', String(costs.search)],
      ['`offer: code`: `search` and `run`, whole', String(costs.code)],
    ],
  )
  const text = `# A search among ${tools} tools\n\nLiveMCPBench's catalogue, ${pairs} uses of tools in the 57 of its 95 tasks that are at hand; the steps that annotators wrote are the queries.\n\n${table}\n\n${price}\n`
  console.log(text)
  if (!write) return
  mkdirSync(join(ROOT, 'bench', 'results'), { recursive: true })
  writeFileSync(join(ROOT, 'bench', 'results', 'context.md'), text)
}
