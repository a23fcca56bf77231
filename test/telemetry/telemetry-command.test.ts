import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { LineProcess } from '../setup/process.ts'

const CCMCP = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'ccmcp.js')
const TRACING = pathToFileURL(join(import.meta.dirname, 'tracing.mjs')).href

const OPENING = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
})

async function spansOf(env: { readonly [name: string]: string }): Promise<readonly string[]> {
  const child = new LineProcess(CCMCP, { env })
  try {
    child.write(`${OPENING}\n`)
    expect(await child.lines.next()).toContain('"protocolVersion":"2025-11-25"')
    await child.end()
    return [...child.stderr.matchAll(/^span: (.*)$/gm)].map(([, name = '']) => name)
  } finally {
    await child.kill()
  }
}

it('a command tells OpenTelemetry where an SDK has been set up', async () => {
  expect(await spansOf({ NODE_OPTIONS: `--import=${TRACING}` })).toEqual(['initialize'])
})

it('and nobody where there is none', async () => {
  expect(await spansOf({})).toEqual([])
})
