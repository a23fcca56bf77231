// V8 looks over a function when it reads a file, and parses it once more when it is first called. What every start
// calls is compiled with the file instead: parentheses around a function are how V8 is told. Which functions those are
// is found out by starting a server.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'build', version: '1' } },
}

/**
 * Has what a small server calls before its first answer compiled with the file that it stands in. Methods, and functions
 * inside of others, cannot be told by parentheses.
 */
export function compileWithFile(out, file) {
  const path = join(out, file)
  const text = readFileSync(path, 'utf8')
  const called = calledBeforeAnswer(out, path).filter(({ name, startOffset }) =>
    text.startsWith(`${startOffset === 0 ? '' : '\n'}function ${name}(`, Math.max(0, startOffset - 1)),
  )
  if (called.length === 0) throw new Error(`no function of ${file} was called before the first answer`)
  let rest = text
  for (const { startOffset, endOffset } of called.toReversed())
    rest = rest.slice(0, startOffset) + rest.slice(endOffset).trimStart()
  // They stand first, since whatever else stands at the top of the file may call them.
  const first = called.map(({ name, startOffset, endOffset }) => {
    const unnamed = text.slice(startOffset + `function ${name}`.length, endOffset)
    return `${name} = (function${unnamed})`
  })
  writeFileSync(path, `var ${first.join(',\n')};\n${rest}`)
}

function calledBeforeAnswer(out, path) {
  const server = join(import.meta.dirname, 'first-answer.mjs')
  const args = [server, pathToFileURL(join(out, 'index.js')).href, pathToFileURL(path).href]
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    input: `${JSON.stringify(INITIALIZE)}\n`,
    encoding: 'utf8',
  })
  if (stdout === '') throw new Error(`the server that was built does not answer: ${stderr}`)
  return JSON.parse(stdout).sort((one, other) => one.startOffset - other.startOffset)
}
