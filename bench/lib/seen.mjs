// What models see: twelve shapes of results, given by a server of Perigee's and by one of the official SDK's, in hosts
// from npm that a scripted model has call them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer'
import { printTable } from '../../dist/bench/index.js'
import { HOSTS, startHost } from '../../scripts/dev-storm/hosts.mjs'
import { SHAPES } from '../servers/shapes.mjs'
import { ROOT } from './contenders.mjs'

const TOOLKITS = { Perigee: 'shapes-perigee.mjs', 'SDK v2': 'shapes-sdk-v2.mjs' }

/** Whatever goes wrong, it ends. */
const PATIENCE_MS = 180_000

export async function benchSeen({ write, raw }) {
  const columns = []
  for (const host of Object.keys(HOSTS))
    for (const [toolkit, file] of Object.entries(TOOLKITS))
      columns.push({ host, toolkit, ...(await seenBy(host, file)) })
  report(columns, write)
  if (raw !== undefined) writeFileSync(raw, JSON.stringify(columns, null, 1))
  const lost = columns.filter(({ toolkit }) => toolkit === 'Perigee').flatMap(({ cells }) => cells)
  return [
    { name: 'nothing is lost', state: lost.some(({ missing }) => missing.length > 0) ? 'not kept' : 'kept' },
  ]
}

/** A host may begin before its server is there, and then ends at once: it is tried again. */
async function seenBy(host, file, tries = 3) {
  try {
    return await lookAt(host, file)
  } catch (error) {
    console.error(`${host}, ${file}: ${error.message.slice(0, 200)}`)
    if (tries > 1) return seenBy(host, file, tries - 1)
    return { version: '', cells: SHAPES.map(() => ({ seen: [], missing: ['run'], tokens: 0, said: [] })) }
  }
}

async function lookAt(host, file) {
  const command = [process.execPath, join(ROOT, 'bench', 'servers', file)]
  const { model, version, close } = await startHost(host, command, SHAPES[0].name)
  const late = setTimeout(() => model.fail(`not answered in ${PATIENCE_MS / 1000} s`), PATIENCE_MS)
  try {
    const cells = []
    for (const shape of SHAPES) cells.push(cellOf(shape, await model.look(shape.name)))
    return { version, cells }
  } finally {
    clearTimeout(late)
    await close()
  }
}

function cellOf({ facts }, said) {
  const text = JSON.stringify(said)
  const seen = Object.keys(facts).filter((fact) => facts[fact].test(text))
  const missing = Object.keys(facts).filter((fact) => !seen.includes(fact))
  // Pictures are no words to a model.
  const tokens = countTokens(text.replaceAll(/[A-Za-z0-9+/=]{100,}/g, ''))
  return { seen, missing, tokens, said: text.length < 4000 ? said : `${text.slice(0, 2000)} …` }
}

function report(columns, write) {
  const head = ['', ...columns.map(({ host, toolkit, version }) => `${host} ${version}, ${toolkit}`)]
  const rows = SHAPES.map(({ what }, at) => [what, ...columns.map(({ cells }) => printCell(cells[at]))])
  const table = printTable(head, rows)
  const text = `# What the model saw\n\nTwelve shapes of results in hosts from npm, each before a scripted model: what of a result reached the model, and what did not. \`npm run bench -- --only seen\`\n\n${table}\n`
  console.log(text)
  if (!write) return
  mkdirSync(join(ROOT, 'bench', 'results'), { recursive: true })
  writeFileSync(join(ROOT, 'bench', 'results', 'seen.md'), text)
}

function printCell({ seen, missing, tokens }) {
  const lost = missing.length === 0 ? '' : `${seen.length === 0 ? '' : '; '}**not ${missing.join(', ')}**`
  const size = tokens > 2000 ? ` (${tokens.toLocaleString('en')} tokens)` : ''
  return `${seen.join(', ')}${lost}${size}`
}
