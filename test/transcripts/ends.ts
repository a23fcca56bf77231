import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Server } from '../../src/kernel/index.ts'
import { SERVERS } from '../../src/servers/index.ts'
import { connectText } from '../../src/transports/memory/index.ts'
import { createEverything } from '../everything/everything.ts'
import { Inbox } from '../setup/inbox.ts'
import { LineProcess } from '../setup/process.ts'
import type { ServerName } from './parse.ts'
import type { End } from './play.ts'

/** Tools as somebody without our types would write them. */
const MODULE = join(import.meta.dirname, 'bb-mcp-server', 'module.mjs')

const DIST = join(import.meta.dirname, '..', '..', 'dist')

/** What each server is told of the folder it may use. */
const SETTINGS: Record<ServerName, (folder: string) => { readonly [name: string]: string }> = {
  sample: () => ({}),
  ccmcp: (folder) => ({ root: folder }),
  bossman: (folder) => ({ store: `sqlite:${join(folder, 'tasks.db')}` }),
  'bb-mcp-server': () => ({}),
  primer: () => ({}),
}

async function createServer(name: ServerName, folder: string): Promise<Server> {
  const ready = await SERVERS[name]?.()
  const lists = { module: [MODULE] }
  return (
    ready?.create({
      settings: SETTINGS[name](folder),
      lists,
      modules: [],
      budgets: {},
      unscoped: 'open',
      shown: {},
      nodes: {},
      sources: {},
    }) ?? createEverything()
  )
}

/** Talks to a server in this process. */
export async function openMemory(name: ServerName): Promise<End> {
  const folder = createFolder()
  const server = await createServer(name, folder)
  const heard = new Inbox<string>()
  const end = connectText(server, (line) => heard.push(line))
  return {
    heard,
    names: { root: folder },
    say: (line) => end.send(line),
    finish: async () => {
      await setImmediate()
      end.close()
      await setImmediate()
    },
    close: async () => {
      end.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Talks to a server in a process of its own, as users start it. */
export function openStdio(name: ServerName, everythingScript: string): End {
  const folder = createFolder()
  const settings = Object.entries(SETTINGS[name](folder)).flatMap(([key, value]) => [`--${key}`, value])
  const args = name === 'bb-mcp-server' ? ['--module', MODULE] : settings
  const command =
    name === 'sample'
      ? new LineProcess(everythingScript)
      : new LineProcess(join(DIST, 'cli', 'bin', `${name}.js`), { args })
  return {
    heard: command.lines,
    names: { root: folder },
    say: (line) => command.write(`${line}\n`),
    finish: async () => {
      const code = await command.end()
      if (code !== 0) throw new Error(`the server ended with ${code}\n${command.stderr}`)
    },
    close: async () => {
      await command.kill()
      rmSync(folder, { recursive: true })
    },
  }
}

/** The folder that ccmcp may use, with something in it. */
function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-transcript-'))
  mkdirSync(join(folder, 'letters'))
  writeFileSync(join(folder, 'notes.txt'), 'test content\n')
  return folder
}
