import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { build } from 'vite'
import { ccmcp } from '../../src/servers/ccmcp.ts'
import { connectText } from '../../src/transports/memory/index.ts'
import { Inbox } from '../setup/inbox.ts'
import { LineProcess } from '../setup/process.ts'
import type { Transcript } from './parse.ts'
import type { End } from './play.ts'
import { createSampleServer } from './sample-server.ts'

type ServerName = Transcript['server']

const DIST = join(import.meta.dirname, '..', '..', 'dist')

/** Talks to a server in this process. */
export function openMemory(name: ServerName): End {
  const folder = createFolder()
  const server = {
    sample: createSampleServer,
    ccmcp: () => ccmcp.create({ settings: { root: folder }, writeLog: () => {} }),
  }[name]()
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
export function openStdio(name: ServerName, sampleScript: string): End {
  const folder = createFolder()
  const command =
    name === 'sample'
      ? new LineProcess(sampleScript)
      : new LineProcess(join(DIST, 'cli', 'bin', 'ccmcp.js'), { args: ['--root', folder] })
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

/** Makes a script of the sample server that Node can run; gives its path, in a folder of its own. */
export async function buildSampleScript(): Promise<string> {
  // Below the package's folder, where the script finds the package's dependencies.
  const cache = join(import.meta.dirname, '..', '..', '.cache')
  mkdirSync(cache, { recursive: true })
  const outDir = mkdtempSync(join(cache, 'sample-server-'))
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(import.meta.dirname, 'serve-sample.ts'),
      outDir,
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'sample-server.mjs' } },
    },
  })
  return join(outDir, 'sample-server.mjs')
}
