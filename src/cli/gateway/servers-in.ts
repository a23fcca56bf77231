import { realpathSync } from 'node:fs'
import { readPlainFile } from '../../confined/read-plain-file.ts'
import { describe, isObject, type JsonObject } from '../../kernel/index.ts'
import type { UnreadableText } from '../install/formats/format.ts'
import { parseJsonc } from '../install/formats/jsonc-tree.ts'
import { UsageError } from '../usage-error.ts'

/** What a host's file holds for whoever starts a gateway here. */
export interface HostFileServers {
  readonly servers: JsonObject
  /** Where its servers of other folders are, for whoever finds none here. */
  readonly elsewhere: readonly string[]
  /** The folder whose own servers are among them. */
  readonly project: string | undefined
}

/** The servers of a file; of one with projects in it, such as ~/.claude.json, those of this folder's stand before everybody's. */
export function serversIn(file: string): HostFileServers {
  const whole = parse(file)
  const everybodys = whole['mcpServers'] ?? whole['servers']
  const projects = projectsIn(whole)
  if (!isObject(everybodys) && (everybodys !== undefined || projects.size === 0))
    throw new UsageError(`${file}: expected { "mcpServers": { "name": { … } } }, got ${describe(everybodys)}`)
  const project = [process.cwd(), realpathSync(process.cwd())].find((folder) => projects.has(folder))
  const own = project === undefined ? {} : projects.get(project)
  const elsewhere = [...projects.keys()].filter((folder) => folder !== project)
  return { servers: { ...everybodys, ...own }, elsewhere, project }
}

function projectsIn({ projects }: JsonObject): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>()
  for (const [folder, one] of Object.entries(isObject(projects) ? projects : {})) {
    const servers = isObject(one) ? one['mcpServers'] : undefined
    if (isObject(servers) && Object.keys(servers).length > 0) found.set(folder, servers)
  }
  return found
}

function parse(file: string): JsonObject {
  try {
    // Some hosts let people write comments.
    const value: unknown = parseJsonc(readPlainFile(file))?.value
    if (isObject(value)) return value
  } catch (error) {
    const { line, message } = error as Partial<UnreadableText> & Error
    throw new UsageError(
      `${file} cannot be read: ${line === undefined ? '' : `line ${line}: `}${message}. Name another: perigee gateway --from FILE, or a server: perigee gateway URL`,
    )
  }
  throw new UsageError(`${file}: expected a JSON object`)
}
