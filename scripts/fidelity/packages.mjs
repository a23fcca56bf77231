// The official servers, direct and behind the gateway: each request must be answered the same.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { connect } from '../../dist/client/index.js'
import { bin } from '../clients/ours.mjs'
import { install } from '../outside.mjs'
import { requestsFor } from './requests.mjs'

export const PACKAGES = {
  '@modelcontextprotocol/server-everything': '2026.8.31',
  '@modelcontextprotocol/server-filesystem': '2026.8.31',
  '@modelcontextprotocol/server-memory': '2026.8.31',
}

const PATIENCE_MS = 30_000

/** What our side answers when it is asked, the same each time. */
const answersIn = (folder) => ({
  'sampling/createMessage': () => ({
    role: 'assistant',
    content: { type: 'text', text: 'A sample' },
    model: 'none',
    stopReason: 'endTurn',
  }),
  'elicitation/create': () => ({ action: 'decline' }),
  'roots/list': () => ({ roots: [{ uri: `file://${folder}`, name: 'here' }] }),
})

/** Gives, for each package, how many requests were answered the same, and what was not. */
export async function comparePackages() {
  const compared = []
  for (const [name, version] of Object.entries(PACKAGES)) {
    const script = join(await install(name, version), 'dist', 'index.js')
    const target = (folder) => commandOf(name, script, folder)
    const direct = await play(target, (client, folder) => requestsFor(name, client, folder))
    const through = await play(
      (folder) => behindGateway(target(folder)),
      () => direct.map(({ asked }) => asked),
    )
    compared.push({ name, version, ...differences(direct, through) })
  }
  return compared
}

function commandOf(name, script, folder) {
  const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }
  const args = name.endsWith('filesystem') ? [script, folder] : [script]
  return { command: process.execPath, args, env }
}

function behindGateway({ command, args, env }) {
  const set = Object.entries(env).map(([key, value]) => `${key}=${value}`)
  const gateway = [bin('perigee'), 'gateway', '--pins', 'off', '--log-level', 'off', '--']
  return { command: process.execPath, args: [...gateway, 'env', ...set, command, ...args] }
}

/** The same folder each time, since servers tell of it. */
async function play(target, requests) {
  const folder = join(tmpdir(), `perigee-packages-${process.pid}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'poem.txt'), 'roses are red\nviolets are blue\n')
  const client = await connect(target(folder), {
    revision: '2025-11-25',
    answers: answersIn(folder),
    // The gateway lists what a server has for clients that can do everything.
    capabilities: { roots: { listChanged: true }, elicitation: { form: {}, url: {} } },
    timeoutMs: PATIENCE_MS,
  })
  try {
    await known(client)
    const answered = []
    for await (const asked of requests(client, folder))
      answered.push({ asked, answer: await ask(client, asked) })
    return answered
  } finally {
    await client.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A gateway answers before a server that takes long to start has told what it has. */
async function known(client) {
  const until = Date.now() + PATIENCE_MS
  while ((await client.tools()).length === 0 && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 100))
}

async function ask(client, { method, params, isNobodys = false }) {
  const progress = []
  const onProgress = (one) => progress.push(one)
  const answer = await client.request(method, params, { onProgress }).then(
    (result) => ({ result }),
    ({ code, message, data }) => ({ error: { code, message, data } }),
  )
  if (isNobodys) return { isRefused: 'error' in answer || answer.result.isError === true }
  return plain({ ...answer, progress })
}

/** Without what is another each time: dates, times, and numbers of processes. */
function plain(value) {
  const text = JSON.stringify(value)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} [\d:]+ GMT[^"\\]*/g, 'TIME')
    .replaceAll(/\d{1,2}:\d\d:\d\d(?: [AP]M)?/g, 'TIME')
  return JSON.parse(text)
}

function differences(direct, through) {
  const different = direct
    .map(({ asked, answer }, at) => ({ asked, direct: answer, through: through[at].answer }))
    .filter(({ direct, through }) => !isDeepStrictEqual(direct, through))
  return { requests: direct.length, different }
}
