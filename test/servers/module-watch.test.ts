import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Heard, PipeHost, Project } from '../dev/dev-host.ts'

const SCRIPT = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'bb-mcp-server.js')

let project: Project
let host: PipeHost

beforeEach(() => {
  project = new Project()
})

afterEach(async () => {
  await host.kill()
  project.remove()
})

const module_ = (tools: { readonly [name: string]: string }) =>
  `import { word } from './word.ts'
export default { name: 'mine', tools: [${Object.entries(tools)
    .map(([name, body]) => `{ name: '${name}', run: (): string => ${body} }`)
    .join(', ')}] }
`

function open(level: string): PipeHost {
  project.save('word.ts', "export const word: string = 'one'\n")
  project.save('mine.ts', module_({ say: 'word' }))
  return new PipeHost(project, ['--module', './mine.ts', '--watch', '--log-level', level], { script: SCRIPT })
}

it('serves TypeScript as it is saved, with what it imports, and a broken file leaves the last good one at work', async () => {
  host = open('info')
  await host.initialize()
  expect(await host.call('say')).toBe('one')
  project.save('word.ts', "export const word: string = 'two'\n")
  await host.says(/"message":"reloaded in \d+ ms"/)
  expect(await host.call('say')).toBe('two')
  project.save('mine.ts', 'export default { name: ')
  await host.says('not reloaded: what was served before goes on being served')
  expect(await host.call('say')).toBe('two')
  project.save('mine.ts', module_({ say: 'word', more: '"more"' }))
  await host.hears(({ method }) => method === 'notifications/tools/list_changed')
  expect(await host.call('more')).toBe('more')
  expect(await host.end()).toBe(0)
})

it('says in the words of its document that tools come and go, and tells a client of 1.0 nothing it has no word for', async () => {
  host = open('debug')
  const params = { protocolVersion: '1.0', clientInfo: { name: 'claude-code' } }
  expect((await host.request('initialize', params)).result).toMatchObject({
    capabilities: { tools: true, dynamicToolRegistration: true },
  })
  project.save('mine.ts', 'export default { name: ')
  await host.says('not reloaded')
  project.save('mine.ts', module_({ say: 'word', more: '"more"' }))
  await host.says(/reloaded in \d+ ms: \+1 tool/)
  expect(await host.call('more')).toBe('more')
  expect(host.heard.filter(({ method }) => method !== undefined)).toEqual([])
  expect(host.stderr).not.toContain('"method":"ping"')
})

const isNotice = (text: RegExp) => (message: Heard) =>
  message.method === 'notifications/message' && text.test(String(message.params?.['data']))

it('says nothing at the level off, whatever becomes of what is saved, and tells its client by its own name', async () => {
  host = open('off')
  await host.initialize()
  project.save('mine.ts', 'export default { name: ')
  const notice = await host.hears(isNotice(/^Not reloaded: module \.\/mine\.ts does not load/))
  expect(notice.params?.['logger']).toBe('bb-mcp-server')
  project.save('mine.ts', module_({ say: '(globalThis as any).process.exit(7)', more: '"more"' }))
  await host.hears(({ method }) => method === 'notifications/tools/list_changed')
  await host.request('tools/call', { name: 'say', arguments: {} })
  expect(await host.call('more')).toBe('more')
  expect(host.stderr).toBe('')
})

it('says all of it in the one log, with the place in the file', async () => {
  host = open('debug')
  await host.initialize()
  project.save('mine.ts', 'export default { name: ')
  await host.says('not reloaded')
  project.save('mine.ts', module_({ say: '(globalThis as any).process.exit(7)' }))
  await host.says(/reloaded in \d+ ms/)
  await host.request('tools/call', { name: 'say', arguments: {} })
  await host.says('another takes its place')
  const lines = host.stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.filter(({ logger }) => logger !== 'bb-mcp-server')).toEqual([])
  const noted = lines.filter(({ event }) => event === 'noted')
  expect(noted.map(({ level }) => level)).toEqual(['error', 'notice', 'error'])
  expect(noted[0]).toMatchObject({
    message: expect.stringMatching(/^module \.\/mine\.ts does not load: .*; not reloaded: /),
    stack: [expect.stringMatching(/^at .*mine\.ts:1$/), 'export default { name:'],
  })
})

it('is refused where there is nothing to watch', async () => {
  host = new PipeHost(project, ['--watch'], { script: SCRIPT })
  expect(await host.end()).toBe(2)
  expect(host.stderr).toContain('watch: expected --module FILE')
})
