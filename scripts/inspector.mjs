// Looks at our servers with the official Inspector's command line, over stdio and over HTTP.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { install, newerNode, ROOT } from './outside.mjs'

const inspector = join(
  install('@modelcontextprotocol/inspector', '2.12.0'),
  'clients',
  'launcher',
  'build',
  'index.js',
)
const node = newerNode()
const bin = (name) => join(ROOT, 'dist', 'cli', 'bin', `${name}.js`)

const server = spawn(process.execPath, [bin('perigee'), 'serve', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
})
const [line] = await once(server.stdout, 'data')
const [, url] = /listening at (\S+)/.exec(String(line))

const targets = {
  stdio: [process.execPath, bin('ccmcp')],
  http: [url, '--transport', 'http'],
}

const checks = {
  'tools/list': [[], ({ tools }) => assert(tools.some(({ name }) => name === 'hello'))],
  'tools/call': [
    ['--tool-name', 'add', '--tool-arg', 'a=2', 'b=40'],
    ({ content }) => assert.equal(content[0].text, '42'),
  ],
  'resources/list': [[], ({ resources }) => assert(resources.some(({ uri }) => uri === 'config://server'))],
  'resources/read': [['--uri', 'config://server'], ({ contents }) => JSON.parse(contents[0].text)],
  'prompts/list': [[], ({ prompts }) => assert(prompts.some(({ name }) => name === 'greet'))],
  'prompts/get': [
    ['--prompt-name', 'greet', '--prompt-args', 'name=Ada'],
    ({ messages }) => assert.equal(messages[0].content.text, 'Please greet Ada warmly'),
  ],
}

let failed = 0
for (const [transport, target] of Object.entries(targets)) {
  for (const [method, [args, check]] of Object.entries(checks)) {
    const problem = await inspect(target, method, args, check)
    if (problem !== undefined) failed++
    console.log(`${transport.padEnd(6)} ${method.padEnd(15)} ${problem ?? 'ok'}`)
  }
}
server.kill()
const total = Object.keys(targets).length * Object.keys(checks).length
console.log(`${total - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

async function inspect(target, method, args, check) {
  try {
    const { stdout } = await promisify(execFile)(node, [
      inspector,
      '--cli',
      ...target,
      '--method',
      method,
      ...args,
    ])
    check(JSON.parse(stdout))
    return undefined
  } catch (error) {
    return `failed: ${error.message}`
  }
}
