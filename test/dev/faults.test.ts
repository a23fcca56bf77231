import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isAlive, PipeHost, Project, serverFile, textOf } from './dev-host.ts'

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

/** Waits until no process is left of those that have said who they are. */
async function gone(dev: PipeHost, name: string): Promise<void> {
  const pids = [...dev.stderr.matchAll(new RegExp(`${name} (\\d+)`, 'g'))].map(([, pid]) => Number(pid))
  expect(pids).not.toEqual([])
  try {
    await dev.until(() => (pids.some(isAlive) ? undefined : true))
  } finally {
    for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL')
  }
}

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
    expect(dev.stderr).toContain(JSON.stringify(text.trim()).slice(1, -1))
    expect(dev.heard.every(({ jsonrpc, id }) => jsonrpc === '2.0' && id !== 7)).toBe(true)
  })
})

it('is told of where it never ends, and an answer that follows on it is handed on', async () => {
  const flood = `const { spawn } = await import('node:child_process')
    const { once } = await import('node:events')
    await once(spawn('head', ['-c', '200000000', '/dev/zero'], { stdio: ['ignore', 'inherit', 'inherit'] }), 'exit')
    return "flooded"`
  const dev = await open(serverFile({ say: 'return "one"', flood }))
  expect(await dev.call('flood')).toBe('flooded')
  expect(await dev.call('say')).toBe('one')
  expect(dev.stderr.match(/a line may have \d+ bytes, this one has more/g)).toHaveLength(2)
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

describe('a server that starts a process which holds its pipes', () => {
  const holding = `import { spawn } from 'node:child_process'
const held = spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'inherit'] })
console.error('held', held.pid)
`

  it('has its end noticed all the same: its calls are answered, another takes its place, and all of it ends', async () => {
    const dev = await open(`${holding}${serverFile({ say: 'return "one"', die: 'process.exit(3)' })}`)
    const ended = await dev.request('tools/call', { name: 'die', arguments: {} })
    expect(ended.error?.message).toBe('The call was not answered: the process that served it has ended (3)')
    expect(await dev.call('say')).toBe('one')
    expect(await dev.end()).toBe(0)
    await gone(dev, 'held')
  })
})

it.each([
  ['is killed', (dev: PipeHost) => dev.kill()],
  [
    'is asked twice to end',
    async (dev: PipeHost) => {
      dev.signal('SIGINT')
      dev.signal('SIGTERM')
      await dev.end()
    },
  ],
])('leaves no code that never waits behind when it %s, nor what that has started', async (_how, end) => {
  const loop = `const { spawn } = await import('node:child_process')
    console.error('left', process.pid, 'left', spawn('sleep', ['600'], { stdio: 'ignore' }).pid)
    for (;;);`
  const dev = await open(serverFile({ loop }))
  dev.ask('tools/call', { name: 'loop', arguments: {} })
  await dev.says(/left \d+ left \d+/)
  await end(dev)
  await gone(dev, 'left')
})

it('has the next code answer whoever introduces itself to code that is stuck', async () => {
  const stuck = `import { existsSync } from 'node:fs'
setInterval(() => {
  if (!existsSync('stuck')) return
  console.error('it is stuck')
  for (;;);
}, 5)
`
  project.save('server.mjs', `${stuck}${one}`)
  host = new PipeHost(project)
  await host.request('ping')
  project.save('stuck', '')
  await host.says('it is stuck')
  const introduced = host.initialize()
  project.save('server.mjs', two)
  expect((await introduced).result?.['serverInfo']).toMatchObject({ name: 'worked-on' })
  expect(await host.call('say')).toBe('two')
})

it('lets calls that wait for a person finish where they began, until their code has been replaced too often', async () => {
  const asking = (word: string) =>
    serverFile({
      ask: `const asked = call.ask({ it: elicit({ message: '${word}', schema: { type: 'object', properties: {} } }) })
        return asked instanceof Needs ? asked : '${word} heard'`,
    })
  project.save('server.mjs', asking('0'))
  host = new PipeHost(project)
  await host.initialize('2025-11-25', { elicitation: {} })
  const calls: number[] = []
  for (const word of ['0', '1', '2', '3']) {
    calls.push(host.ask('tools/call', { name: 'ask', arguments: {} }))
    await host.hears(({ method, params }) => method === 'elicitation/create' && params?.['message'] === word)
    project.save('server.mjs', asking(String(Number(word) + 1)))
    await host.says('reloaded in', calls.length)
  }
  const [oldest = 0, ...others] = calls
  expect((await host.answer(oldest)).error?.message).toBe(
    'The call was not answered: its code has been replaced more than 3 times since it began',
  )
  for (const { id = '' } of host.heard.filter(({ method }) => method === 'elicitation/create'))
    host.send({ id, result: { action: 'accept', content: {} } })
  for (const [at, id] of others.entries()) expect(textOf(await host.answer(id))).toBe(`${at + 1} heard`)
})
