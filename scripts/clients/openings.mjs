// Replays what hosts say first to our servers; each opens with the revision it was seen to open with.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT } from '../outside.mjs'

export const OPENINGS = JSON.parse(readFileSync(join(ROOT, 'test', 'revisions', 'openings.json'), 'utf8'))

/** Says it line by line; gives the revision that was agreed on. */
export async function openByLine({ says, revision }, { command, args }) {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
    let agreed
    for (const message of says) {
      server.stdin.write(`${JSON.stringify(message)}\n`)
      if (message.id === undefined) continue
      agreed = look(message, await nextReply(lines)) ?? agreed
    }
    assert.equal(agreed, revision)
    return agreed
  } finally {
    server.kill()
  }
}

/** A server may have something to tell between its replies. */
async function nextReply(lines) {
  for (;;) {
    const { value, done } = await lines.next()
    assert(!done, 'the server has ended')
    const message = JSON.parse(value)
    if (message.method === undefined) return message
  }
}

/** Says it by one POST after the other. */
export async function openByPost({ says, revision }, { url }) {
  let [agreed, session] = [undefined, {}]
  for (const message of says) {
    const response = await fetch(url, {
      method: 'POST',
      headers: headersOf(message, session),
      body: JSON.stringify(message),
    })
    const id = response.headers.get('mcp-session-id')
    if (id !== null) session = { 'mcp-session-id': id }
    if (message.id === undefined) {
      await response.body?.cancel()
      continue
    }
    agreed = look(message, readBody(await response.text())) ?? agreed
  }
  if (Object.keys(session).length > 0) await fetch(url, { method: 'DELETE', headers: session })
  assert.equal(agreed, revision)
  return agreed
}

/** The revision, if this reply is what tells it. */
function look({ id, method, params }, reply) {
  assert.equal(reply.id, id)
  assert(reply.result !== undefined, `${method}: ${JSON.stringify(reply.error)}`)
  if (method === 'initialize') return reply.result.protocolVersion
  if (method === 'tools/list') assert(reply.result.tools.length > 0, 'no tools are listed')
  if (method !== 'server/discover') return undefined
  const asked = params._meta['io.modelcontextprotocol/protocolVersion']
  assert(reply.result.supportedVersions.includes(asked))
  return asked
}

function headersOf({ method, params }, session) {
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion']
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(version === undefined ? session : { 'mcp-protocol-version': version, 'mcp-method': method }),
  }
}

function readBody(text) {
  const data = text.split('\n').findLast((line) => /^data: ?\{/.test(line))
  return JSON.parse(data === undefined ? text : data.slice('data:'.length))
}
