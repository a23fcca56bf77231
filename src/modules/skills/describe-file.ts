import { findMimeType } from '../../confined/mime-type.ts'
import type { Skill } from './library.ts'
import { printUri } from './uri.ts'
import type { File } from './walk.ts'

/** A file as a list of resources shows it. */
export interface FileDescription {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType?: string
  readonly size: number
}

/** The SKILL.md of a skill goes by the skill's name. */
export function describeFile({ path, name, found }: File, skill: Skill | undefined): FileDescription {
  const mimeType = findMimeType(name)
  return {
    uri: printUri(path),
    name,
    ...(skill !== undefined && { name: skill.name, description: skill.description }),
    ...(mimeType !== undefined && { mimeType }),
    size: found.stats.size,
  }
}
