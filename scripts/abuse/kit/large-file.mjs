import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder with one file as large as may be read, for as long as this process runs. */
export function createLargeFile() {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-abuse-'))
  writeFileSync(join(folder, 'large.txt'), 'x'.repeat(1_000_000))
  process.on('exit', () => rmSync(folder, { recursive: true }))
  return { folder, name: 'large.txt' }
}

export function callTool(id, name, args) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}
