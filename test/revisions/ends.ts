import type { Revision } from '../../src/kernel/revisions/revision.ts'
import { connectText } from '../../src/transports/memory/index.ts'
import { openHttp, type Shape, shapesOf } from '../http/ends.ts'
import { Inbox } from '../setup/inbox.ts'
import { LineProcess } from '../setup/process.ts'
import type { End } from '../transcripts/play.ts'
import type { RevisionId } from '../transcripts/revisions.ts'
import { SERVERS, type ServerName, SKILLS } from './server.ts'

export type Way = 'memory' | 'stdio' | Shape

/** The ways in which a revision travels. */
export function waysOf({ id }: Revision): readonly Way[] {
  return ['memory', 'stdio', ...shapesOf(id as RevisionId)] // There are no others.
}

export interface Opening {
  readonly way: Way
  readonly server: ServerName
  readonly revision: Revision
  /** The script that serves over stdio. */
  readonly script: string
}

export function openEnd({ way, server, revision, script }: Opening): End | Promise<End> {
  if (way === 'memory') return openMemory(server)
  if (way === 'stdio') return openStdio(server, script)
  return openHttp(SERVERS[server](SKILLS), way, revision.id as RevisionId) // There are no others.
}

function openMemory(server: ServerName): End {
  const heard = new Inbox<string>()
  const end = connectText(SERVERS[server](SKILLS), (line) => heard.push(line))
  const close = async () => end.close()
  return { heard, names: {}, say: (line) => end.send(line), finish: close, close }
}

function openStdio(server: ServerName, script: string): End {
  const command = new LineProcess(script, { args: [server, SKILLS] })
  const close = () => command.kill()
  return {
    heard: command.lines,
    names: {},
    say: (line) => command.write(`${line}\n`),
    finish: close,
    close,
  }
}
