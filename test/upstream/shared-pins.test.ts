import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { connect } from '../../src/client/index.ts'
import { serveHttp } from '../../src/index.ts'
import { approve } from '../../src/modules/upstream/pins/pin-book.ts'
import { changeBook, readBook } from '../../src/modules/upstream/pins/pin-file.ts'
import { Pins } from '../../src/modules/upstream/pins/pins.ts'
import { PERIGEE } from '../cli/run.ts'
import { clientOf, endAfterEach, ending, gatewayTo } from './gateway-of.ts'

endAfterEach()

let folder = ''
let path = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-shared-pins-'))
  path = join(folder, '.mcp.pins.json')
  ending.push(() => rmSync(folder, { recursive: true }))
})

const some = (count: number, prefix = 'u') => Array.from({ length: count }, (_, at) => `${prefix}${at}`)
const tool = (name: string, description = 'does') => ({ name, description, inputSchema: { type: 'object' } })
const server = defineServer({ name: 'gateway', version: '1' })

/** The pins of one upstream of a server. */
function pinsOf(upstream: string, owner = server) {
  const [note, changed] = [vi.fn(), vi.fn()]
  const pins = new Pins(path, { upstream, server: owner, note, changed })
  ending.push(() => pins.close())
  return { upstream, pins, note, changed }
}

/** How often the file has been parsed, and put in the place of the one before it, from here on. */
function counted() {
  const parses = vi.spyOn(JSON, 'parse')
  const writes = vi.spyOn(promises, 'rename')
  syncBuiltinESMExports()
  ending.push(() => {
    parses.mockRestore()
    writes.mockRestore()
    syncBuiltinESMExports()
  })
  return {
    parses: () => parses.mock.calls.filter(([text]) => text.startsWith('{\n  "version": 1,')).length,
    writes: () => writes.mock.calls.filter(([, written]) => written === path).length,
  }
}

it.each(['/dev/zero', '/dev/full'])(
  'a file of pinned tools that becomes a link to %s is not read, and what was approved stands',
  async (device) => {
    const { pins, note } = pinsOf('behind')
    pins.withheld([tool('say')])
    await expect.poll(() => existsSync(path)).toBe(true)
    rmSync(path)
    symlinkSync(device, path)
    await expect.poll(() => note.mock.calls.join()).toContain(`${path} is no file. What was approved before`)
    expect(pins.withheld([tool('say')]).size).toBe(0)
    expect(pins.withheld([tool('say', 'does something else')]).size).toBe(1)
  },
)

describe('upstreams with one file of pinned tools', () => {
  it('are written down together, and the file is parsed for all at once', async () => {
    const behind = defineServer({
      name: 'behind',
      version: '1',
      tools: [{ name: 'say', run: () => 'said' }],
    })
    const names = some(40)
    await changeBook(path, () => ({ before: { say: { hash: 'sha256:x', approved: '', contract: {} } } }))
    const { parses, writes } = counted()
    const gateway = gatewayTo(Object.fromEntries(names.map((name) => [name, { server: behind, pins: path }])))
    await clientOf(gateway)
    await gateway.close()
    expect(parses()).toBeLessThan(5)
    expect(writes()).toBeLessThan(5)
    expect(Object.keys(readBook(path)).sort()).toEqual(['before', ...names].sort())
  })

  it('have one that follows the file, as long as there is one of them', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    ending.push(() => vi.useRealTimers())
    const all = some(5).map((name) => pinsOf(name))
    expect(vi.getTimerCount()).toBe(1)
    for (const { pins } of all.slice(1)) await pins.close()
    expect(vi.getTimerCount()).toBe(1)
    const late = pinsOf('late')
    await all[0]?.pins.close()
    expect(vi.getTimerCount()).toBe(1)
    await late.pins.close()
    expect(vi.getTimerCount()).toBe(0)
    pinsOf('again')
    expect(vi.getTimerCount()).toBe(1)
  })

  it('are told of what somebody else has approved where it is theirs, and what they have seen meanwhile stays', async () => {
    const [one, other] = [pinsOf('one'), pinsOf('other')]
    for (const { pins } of [one, other]) pins.withheld([tool('say')])
    const changed = tool('say', 'tells')
    expect([...one.pins.withheld([changed]).keys()]).toEqual([changed])
    await vi.waitFor(() => expect(readBook(path)['one']?.['say']?.changed).toBeDefined())
    await changeBook(path, (book) => approve(book, 'one', { tool: 'say', now: 'now' }))
    other.pins.withheld([tool('say'), tool('shout')])
    await vi.waitFor(() => expect(one.changed).toHaveBeenCalled(), { timeout: 10_000 })
    expect(one.pins.withheld([changed]).size).toBe(0)
    expect(other.pins.since('shout')).toBeDefined()
    expect(other.changed).not.toHaveBeenCalled()
  })

  it('do not parse what they have written themselves, nor look at their tools again', async () => {
    const [one, other] = [pinsOf('one'), pinsOf('other')]
    one.pins.withheld([tool('say')])
    await one.pins.close()
    const { parses, writes } = counted()
    for (const name of some(9, 'tool')) {
      other.pins.withheld([tool(name)])
      expect(await other.pins.approve(name, 'sha256:none')).toBe(false) // When it has been written.
    }
    expect(writes()).toBe(9)
    expect(parses()).toBeLessThan(3)
    expect(Object.keys(readBook(path)['other'] ?? {})).toEqual(some(9, 'tool'))
    expect(other.changed).not.toHaveBeenCalled()
  })

  it('have each change noted once, also by one that has come in the place of another', () => {
    const owner = defineServer({ name: 'noting', version: '1' })
    const notes = ['tells', 'tells', 'sings', 'does', 'tells'].flatMap((description) => {
      const { pins, note } = pinsOf('one', owner)
      pins.withheld([tool('say')])
      pins.withheld([tool('say', description)])
      return [note.mock.calls.length]
    })
    expect(notes).toEqual([1, 0, 1, 0, 0])
  })

  it('have a change approved that has just been seen', async () => {
    const { pins, changed } = pinsOf('one')
    pins.withheld([tool('say')])
    const other = tool('say', 'tells')
    pins.withheld([other])
    expect(await pins.approve('say', pins.changed[0]?.hash ?? '')).toBe(true)
    expect(changed).toHaveBeenCalledTimes(1)
    expect(pins.withheld([other]).size).toBe(0)
  })
})

describe('a file of pinned tools', () => {
  it('that has been broken is an error for whoever comes later, and stands for those who are there', async () => {
    const { pins, note } = pinsOf('one')
    pins.withheld([tool('say')])
    await pins.approve('say', 'sha256:none')
    writeFileSync(path, '{')
    expect(() => pinsOf('late')).toThrow(`${path} is no file of pinned tools`)
    expect(pins.withheld([tool('say')]).size).toBe(0)
    await vi.waitFor(() => expect(note.mock.calls.join()).toContain('What was approved before stands'), {
      timeout: 10_000,
    })
  })

  it('that cannot be written is told of once to each server, and has what was missed when it can be', async () => {
    path = join(folder, 'later', '.mcp.pins.json')
    const owners = [server, defineServer({ name: 'another', version: '1' })]
    const all = owners.flatMap((owner, at) => some(4, `s${at}_`).map((name) => pinsOf(name, owner)))
    for (const { pins, changed } of all) {
      changed.mockImplementation(() => pins.withheld([tool('say')]))
      pins.withheld([tool('say')])
    }
    const notes = () => all.flatMap(({ note }) => note.mock.calls.flat())
    await vi.waitFor(() => expect(notes()).toHaveLength(owners.length))
    expect(notes()[0]).toContain(
      `${path} cannot be written, so that tools are remembered only while this runs: ENOENT`,
    )
    mkdirSync(join(folder, 'later'))
    all[0]?.pins.withheld([tool('say'), tool('shout')])
    const names = all.map(({ upstream }) => upstream)
    await vi.waitFor(() => expect(Object.keys(readBook(path)).sort()).toEqual([...names].sort()))
  })

  it('that is gone is written anew as it was, and what was approved before stands', async () => {
    const [one, other] = [pinsOf('one'), pinsOf('other')]
    for (const { pins } of [one, other]) pins.withheld([tool('say')])
    const changed = tool('say', 'tells')
    one.pins.withheld([changed])
    await vi.waitFor(() => expect(readBook(path)['one']?.['say']?.changed).toBeDefined())
    const before = readBook(path)
    rmSync(path)
    await vi.waitFor(() => expect(readBook(path)).toEqual(before), { timeout: 10_000 })
    for (const { pins } of [one, other]) expect([...pins.withheld([changed]).keys()]).toEqual([changed])
    const notes = [one, other].flatMap(({ note }) => note.mock.calls.flat())
    expect(notes.filter((note) => !note.includes('say has changed'))).toEqual([
      `${path} was gone and is written anew. What was approved before stands`,
    ])
    await vi.waitFor(() => expect(readBook(path)['other']?.['say']?.changed).toBeDefined())
    await changeBook(path, (book) => approve(book, 'one', { tool: 'say', now: 'now' }))
    await vi.waitFor(() => expect(one.pins.withheld([changed]).size).toBe(0), { timeout: 10_000 })
  })

  it('that is gone when something new is to be written has what was known as well', async () => {
    const { pins } = pinsOf('one')
    pins.withheld([tool('say')])
    await pins.approve('say', 'sha256:none')
    rmSync(path)
    pins.withheld([tool('say', 'tells'), tool('shout')])
    await pins.approve('say', 'sha256:none')
    expect(readBook(path)['one']).toMatchObject({
      say: { contract: { description: 'does' }, changed: { contract: { description: 'tells' } } },
      shout: {},
    })
  })

  it('that somebody has put in its place stands, also where it says less', async () => {
    const { pins, changed } = pinsOf('one')
    pins.withheld([tool('say')])
    await pins.approve('say', 'sha256:none')
    writeFileSync(path, '{"version":1,"tools":{}}')
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), { timeout: 10_000 })
    expect(pins.withheld([tool('say', 'tells')]).size).toBe(0)
  })

  it('that could not be written for a while has what was withheld meanwhile, also by one that has come in its place', async () => {
    path = join(folder, 'later', '.mcp.pins.json')
    const [one, other] = [pinsOf('one'), pinsOf('other')]
    const changed = tool('say', 'tells')
    one.pins.withheld([tool('say')])
    await vi.waitFor(() => expect(other.note).toHaveBeenCalled()) // Once to their server.
    expect([...one.pins.withheld([changed]).keys()]).toEqual([changed])
    await one.pins.close()
    const again = pinsOf('one')
    expect([...again.pins.withheld([changed]).keys()]).toEqual([changed])
    await Promise.all([again, other].map(({ pins }) => pins.close()))
    const last = pinsOf('one')
    mkdirSync(join(folder, 'later'))
    await vi.waitFor(() => expect(readBook(path)['one']?.['say']?.changed).toBeDefined(), { timeout: 20_000 })
    expect(readBook(path)['one']?.['say']?.contract['description']).toBe('does')
    expect([...last.pins.withheld([changed]).keys()]).toEqual([changed])
    expect(await last.pins.approve('say', last.pins.changed[0]?.hash ?? '')).toBe(true)
    expect(last.pins.withheld([changed]).size).toBe(0)
  })

  it('that somebody else has written while it could not be is held against what was seen', async () => {
    path = join(folder, 'later', '.mcp.pins.json')
    const { pins, note } = pinsOf('one')
    pins.withheld([tool('say'), tool('shout')])
    await vi.waitFor(() => expect(note).toHaveBeenCalled())
    mkdirSync(join(folder, 'later'))
    const theirs = { hash: 'sha256:x', approved: 'then', contract: {} }
    await changeBook(path, (book) => ({ ...book, one: { say: theirs } }))
    await vi.waitFor(() => expect(Object.keys(readBook(path)['one'] ?? {})).toEqual(['say', 'shout']), {
      timeout: 20_000,
    })
    expect(readBook(path)['one']?.['say']).toMatchObject({ ...theirs, changed: { contract: tool('say') } })
    await vi.waitFor(() => expect(pins.withheld([tool('say')]).size).toBe(1))
  })

  it('loses nothing when several processes write it at once', { timeout: 60_000 }, async () => {
    const http = await serveHttp(
      defineServer({ name: 'far', version: '1', tools: [{ name: 'say', run: () => 'said' }] }),
    )
    ending.push(() => http.close(0))
    const run = (prefix: string) => {
      const from = join(folder, `${prefix}.json`)
      const mcpServers = Object.fromEntries(some(10, prefix).map((name) => [name, { url: http.url }]))
      writeFileSync(from, JSON.stringify({ mcpServers }))
      return connect({
        command: process.execPath,
        args: [PERIGEE, 'gateway', '--from', from, '--pins', path],
      })
    }
    const pinned = { hash: 'sha256:x', approved: '', contract: {} }
    const ours = some(10, 'c').map(async (name) =>
      changeBook(path, (book) => ({ ...book, [name]: { say: pinned } })),
    )
    const clients = await Promise.all([run('a'), run('b')])
    await Promise.all([...ours, ...clients.map((client) => client.tools())])
    await Promise.all(clients.map((client) => client.close()))
    const names = ['a', 'b', 'c'].flatMap((prefix) => some(10, prefix))
    await vi.waitFor(() => expect(Object.keys(readBook(path)).sort()).toEqual(names), { timeout: 20_000 })
  })
})
