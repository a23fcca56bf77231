import { expect, it } from 'vitest'
import { PipeHost, Project } from './dev-host.ts'

const SERVER = `import { defineServer, defineTool } from 'perigee'
import { word } from './word.ts'
const say = defineTool({ name: 'say', run: (): string => word satisfies string })
export default defineServer({ name: 'typed', version: '1.0.0', tools: [say] })
`

const saying = (word: string) => `export const word: string = '${word}'\n`

it('runs TypeScript of several files, also where Node does not read it by itself', async () => {
  const project = new Project()
  project.save('word.ts', saying('one'))
  project.save('server.ts', SERVER)
  const host = new PipeHost(project, ['--start-timeout', '120'], './server.ts')
  try {
    await host.initialize()
    expect(await host.call('say')).toBe('one')
    project.save('word.ts', saying('two'))
    await host.says(/reloaded in \d+ ms/)
    expect(await host.call('say')).toBe('two')
    project.save('word.ts', 'export const word: string = {\n')
    await host.says('not reloaded')
    expect(host.stderr).toContain('word.ts')
    expect(await host.call('say')).toBe('two')
  } finally {
    await host.kill()
    project.remove()
  }
})
