import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PipeHost, Project, serverFile } from './dev-host.ts'

let project: Project
let host: PipeHost | undefined

beforeEach(() => {
  project = new Project()
})

afterEach(async () => {
  await host?.kill()
  project.remove()
})

async function open(text: string, args: readonly string[] = []): Promise<PipeHost> {
  project.save('server.mjs', text)
  host = new PipeHost(project, args)
  await host.initialize()
  return host
}

const at = (name: string) => join(project.folder, name)
const one = serverFile({ say: 'return "one"' })
const two = serverFile({ say: 'return "two"' })

describe('what is written to stdout past the server', () => {
  const write = (text: string) =>
    `const { writeSync } = await import('node:fs'); writeSync(1, ${JSON.stringify(text)}); return "written"`

  it.each([
    ['a line', 'no message\n'],
    ['JSON', '{"level":"info"}\n'],
    ['a number', '42\n'],
    ['what has no end', 'half a line '],
    ['a message that is quoted', 'got {"jsonrpc":"2.0","id":7,"method":"ping"}\n'],
  ])('is shown on stderr and kept from the host: %s', async (_what, text) => {
    const dev = await open(serverFile({ say: 'return "one"', write: write(text) }))
    expect(await dev.call('write')).toBe('written')
    expect(await dev.call('say')).toBe('one')
    await dev.says('written to stdout, which is for messages alone: ')
    expect(dev.stderr).toContain(text.trim())
    expect(dev.heard.every(({ jsonrpc, id }) => jsonrpc === '2.0' && id !== 7)).toBe(true)
  })
})

describe('a project may hold', () => {
  it('links that lead in circles, and folders and pipes that are called like code', async () => {
    const dev = await open(one)
    symlinkSync('circle.ts', at('circle.ts'))
    mkdirSync(at('chart.js'))
    execFileSync('mkfifo', [at('pipe.ts')])
    writeFileSync(at('data.json'), '{}')
    project.save('server.mjs', two)
    await dev.says('reloaded in')
    writeFileSync(at('data.json'), '{ }')
    expect(await dev.call('say')).toBe('two')
  })

  it('a link in the place of the file, and links to folders elsewhere', async () => {
    const elsewhere = new Project()
    const library = mkdtempSync(join(elsewhere.folder, 'library-'))
    try {
      writeFileSync(join(library, 'word.mjs'), 'export const word = "a"')
      elsewhere.save('real.mjs', one)
      symlinkSync(join(elsewhere.folder, 'real.mjs'), at('server.mjs'))
      symlinkSync(library, at('linked'))
      host = new PipeHost(project)
      await host.initialize()
      expect(await host.call('say')).toBe('one')
      elsewhere.save('real.mjs', two)
      await host.says('reloaded in')
      expect(await host.call('say')).toBe('two')
      rmSync(at('server.mjs'))
      const begun = host.stderr.match(/reloaded in/g)?.length ?? 0
      writeFileSync(
        at('server.mjs'),
        `import { word } from './linked/word.mjs'\n${serverFile({ say: 'return word' })}`,
      )
      await host.says('reloaded in', begun + 1)
      writeFileSync(join(library, 'word.mjs'), 'export const word = "b"')
      await host.says('reloaded in', begun + 2)
      expect(await host.call('say')).toBe('b')
    } finally {
      elsewhere.remove()
    }
  })

  it('folders of folders that are put there in one step', async () => {
    const dev = await open(one)
    project.save('server.mjs', `import { word } from './a/b/word.mjs'\n${serverFile({ say: 'return word' })}`)
    await dev.says('not reloaded')
    mkdirSync(at('node_modules/ready/b'), { recursive: true })
    writeFileSync(at('node_modules/ready/b/word.mjs'), 'export const word = "there"')
    renameSync(at('node_modules/ready'), at('a'))
    await dev.says('reloaded in')
    expect(await dev.call('say')).toBe('there')
  })
})

it.each([
  ['at first', (hangs: string) => hangs],
  ['later', () => one],
])('does not wait for code that never finishes loading once it is mended: %s', async (_when, first) => {
  const hangs = `console.error('it hangs')\nfor (;;);`
  project.save('server.mjs', first(hangs))
  host = new PipeHost(project, ['--start-timeout', '3600'])
  if (first(hangs) !== hangs) {
    await host.initialize()
    project.save('server.mjs', hangs)
  }
  await host.says('it hangs')
  project.save('server.mjs', two)
  await host.says('reloaded in')
  if (first(hangs) === hangs) await host.initialize()
  expect(await host.call('say')).toBe('two')
})
