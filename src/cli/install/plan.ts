import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../kernel/index.ts'
import { findEntry, hasAnything, putEntry } from './edit.ts'
import { fitToHost } from './fit-host.ts'
import { type SettingsFormat, UnreadableText } from './formats/format.ts'
import { FORMATS } from './formats/index.ts'
import type { HostFile, InstallHost } from './hosts.ts'
import type { Installable } from './installable.ts'
import { checkWritable, FileTrouble, readSettings, type SettingsFile } from './settings-file.ts'

/** What would be done to the file of one host. */
export type Plan = Planned | LeftAlone

interface PlanBase {
  readonly host: InstallHost
  readonly file: HostFile
}

export interface Planned extends PlanBase {
  readonly status: 'write' | 'unchanged'
  readonly settings: SettingsFile
  readonly path: readonly string[]
  readonly value: JsonObject
  /** What stood there, and differs. */
  readonly replaced: JsonObject | undefined
  readonly before: string
  readonly after: string
  readonly notes: readonly string[]
}

export interface LeftAlone extends PlanBase {
  readonly status: 'unreadable' | 'unwritable' | 'differs' | 'refused'
  readonly reason: string
  /** What would have been written, for whoever writes it by hand. */
  readonly snippet?: string
  /** The file as it is and as it would be. */
  readonly texts?: readonly [before: string, after: string]
}

export interface PlanOptions {
  readonly server: Installable
  readonly replace: boolean
}

/** What each host's file would become, one after the other: two hosts may share one. */
export async function planAll(
  places: readonly (readonly [InstallHost, HostFile])[],
  options: PlanOptions,
): Promise<readonly Plan[]> {
  const texts = new Map<string, string>()
  const plans: Plan[] = []
  for (const [host, file] of places) {
    const plan = await planOne({ host, file }, options, texts)
    if ('after' in plan) texts.set(plan.settings.real, plan.after)
    plans.push(plan)
  }
  return plans
}

async function planOne(
  base: PlanBase,
  options: PlanOptions,
  texts: ReadonlyMap<string, string>,
): Promise<Plan> {
  const { file } = base
  const format = await FORMATS[file.format]()
  try {
    const found = readSettings(file.path)
    const text = texts.get(found.real) ?? found.text
    const settings = { ...found, text }
    return planIn(base, { format, settings, ...options })
  } catch (error) {
    if (error instanceof UnreadableText)
      return {
        ...base,
        status: 'unreadable',
        reason: `${file.path}:${error.line}: ${error.message}: ${error.shown.trim()}`,
      }
    if (error instanceof FileTrouble) return { ...base, status: 'unreadable', reason: error.message }
    if (error instanceof RangeError)
      return { ...base, status: 'unreadable', reason: `${file.path} is too large: ${error.message}` }
    throw error
  }
}

interface Planning extends PlanOptions {
  readonly format: SettingsFormat
  readonly settings: SettingsFile
}

function planIn(base: PlanBase, { format, settings, server, replace }: Planning): Plan {
  const { host, file } = base
  const before = settings.text ?? ''
  const { under, shape } = kindOf(file, format.parse(before.replace(/^\uFEFF/, '')))
  const fitted = fitToHost(host, shape, server)
  if ('refused' in fitted) return { ...base, status: 'refused', reason: fitted.refused }
  const { value, notes } = fitted
  const path = [...under, server.name]
  const entry = { path, value }
  const old = findEntry(format, before, path)
  const same = isDeepStrictEqual(old, value)
  const planned = { ...base, settings, path, value, before, notes, replaced: old }
  if (same) return { ...planned, status: 'unchanged', after: before }
  const after = putEntry(format, before, entry)
  if (hasAnything(format, before, path) && !replace)
    return {
      ...base,
      status: 'differs',
      reason: `${file.path} has another ${server.name}, which --replace would replace`,
      texts: [before, after],
    }
  const reason = whyNotWritable(settings)
  if (reason !== undefined)
    return { ...base, status: 'unwritable', reason, snippet: format.put('', path, value) }
  return { ...planned, status: 'write', after }
}

function whyNotWritable(settings: SettingsFile): string | undefined {
  try {
    checkWritable(settings)
    return undefined
  } catch (error) {
    if (error instanceof FileTrouble) return error.message
    throw error
  }
}

/** A file of a later kind is kept as it is: what stands in the later place is no server. */
function kindOf(file: HostFile, settings: JsonObject): Pick<HostFile, 'under' | 'shape'> {
  const found = file.later?.under.reduce<unknown>(
    (inner, name) => (isObject(inner) ? inner[name] : undefined),
    settings,
  )
  const isLater = isObject(found) && typeof found['type'] !== 'string'
  return isLater ? (file.later ?? file) : file
}
