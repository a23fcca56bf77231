// Looks at our servers with the official Inspector's command line, over stdio and over HTTP.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bin, startWorkbench } from './clients/ours.mjs'
import { install, newerNode } from './outside.mjs'

const CHECKS = {
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

export const METHODS = Object.keys(CHECKS)

const BOSSMAN_CHECKS = {
  'tools/list': [[], ({ tools }) => assert(tools.some(({ name }) => name === 'create_task'))],
  'tools/call': [
    ['--tool-name', 'create_task', '--tool-arg', 'description=Fix parser bug'],
    ({ content }) => assert.equal(JSON.parse(content[0].text).description, 'Fix parser bug'),
  ],
  'resources/list': [[], ({ resources }) => assert(resources.some(({ uri }) => uri === 'tasks://open'))],
  'resources/read': [['--uri', 'tasks://open'], ({ contents }) => JSON.parse(contents[0].text)],
  'prompts/list': [[], ({ prompts }) => assert(prompts.some(({ name }) => name === 'plan_day'))],
  'prompts/get': [['--prompt-name', 'plan_day'], ({ messages }) => assert.equal(messages.length, 1)],
}

/** Gives a function that has the Inspector call one method and rejects when the answer is not the one it should be. */
export async function openInspector(version) {
  const folder = await install('@modelcontextprotocol/inspector', version)
  const command = await newerNode()
  const launcher = join(folder, 'clients', 'launcher', 'build', 'index.js')
  return async (target, method, checks = CHECKS) => {
    const [args, check] = checks[method]
    const all = [launcher, '--cli', ...target, '--method', method, ...args]
    const { stdout } = await promisify(execFile)(command, all)
    check(JSON.parse(stdout))
  }
}

if (process.argv[1] === import.meta.filename) {
  const inspect = await openInspector('2.12.0')
  const workbench = await startWorkbench()
  const targets = [
    ['ccmcp, stdio', [process.execPath, bin('ccmcp')], CHECKS],
    ['bossman, stdio', [process.execPath, bin('bossman'), '--store=memory:'], BOSSMAN_CHECKS],
    ['workbench, http', [workbench.url, '--transport', 'http'], CHECKS],
  ]
  let failed = 0
  for (const [name, target, checks] of targets) {
    for (const method of METHODS) {
      const problem = await inspect(target, method, checks).then(
        () => undefined,
        (error) => `failed: ${error.message}`,
      )
      if (problem !== undefined) failed++
      console.log(`${name.padEnd(15)} ${method.padEnd(15)} ${problem ?? 'ok'}`)
    }
  }
  workbench.stop()
  console.log(`${targets.length * METHODS.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
