import { type Command, connect } from '../../client/index.ts'
import { VERSION } from '../../kernel/index.ts'
import { listFrom } from '../client/find.ts'
import { findEntry } from './edit.ts'
import { fillIn, fromHost } from './fit-host.ts'
import { FORMATS } from './formats/index.ts'
import type { LocalServer } from './installable.ts'
import type { Planned } from './plan.ts'
import { readSettings } from './settings-file.ts'
import { readShape } from './shapes.ts'

/** Reads the entry from the file again and connects as its host would; gives how many tools there are. */
export async function countTools(
  plan: Planned,
  options: { signal: AbortSignal; timeoutMs: number },
): Promise<number> {
  const { host, file, path } = plan
  const { text = '' } = readSettings(file.path)
  const entry = findEntry(await FORMATS[file.format](), text, path)
  const server = entry === undefined ? undefined : readShape(path.at(-1) ?? '', entry)
  if (server === undefined) throw new Error(`${file.path} does not have it`)
  const filled = fillIn(fromHost(host, server))
  const target = 'url' in filled ? new URL(filled.url) : commandOf(filled)
  const client = await connect(target, {
    info: { name: host.client ?? host.id, version: VERSION },
    ...('url' in filled && { headers: filled.headers }),
    ...options,
  })
  try {
    return (await listFrom('tools', { client, options })).length
  } finally {
    await client.close()
  }
}

function commandOf({ command, args, env }: LocalServer): Command {
  return { command, args, env, ownGroup: true }
}
