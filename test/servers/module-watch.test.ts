import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PipeHost, Project } from '../dev/dev-host.ts'

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

function open(level = 'off'): PipeHost {
  project.save('word.ts', "export const word: string = 'one'\n")
  project.save('mine.ts', module_({ say: 'word' }))
  return new PipeHost(project, ['--module', './mine.ts', '--watch', '--log-level', level], { script: SCRIPT })
}

it('serves TypeScript as it is saved, with what it imports, and a broken file leaves the last good one at work', async () => {
  host = open()
  await host.initialize()
  expect(await host.call('say')).toBe('one')
  project.save('word.ts', "export const word: string = 'two'\n")
  await host.says(/bb-mcp-server: reloaded in \d+ ms/)
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

it('is refused where there is nothing to watch', async () => {
  host = new PipeHost(project, ['--watch'], { script: SCRIPT })
  expect(await host.end()).toBe(2)
  expect(host.stderr).toContain('watch: expected --module FILE')
})
