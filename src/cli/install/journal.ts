import { readFileSync } from 'node:fs'
import { makeFolderOf, underLock, writePrivate } from '../../confined/private-file.ts'
import {
  expecting,
  isObject,
  type JsonObject,
  listOf,
  type Members,
  membersOf,
  object,
  oneOf,
  text,
  texts,
} from '../../kernel/index.ts'
import { homeFolder } from '../gateway/home.ts'
import type { TextEdit } from './edit.ts'
import { FORMATS, type FormatName } from './formats/index.ts'

/** An entry that was written into a file, and what undoes it. */
export interface InstallRecord {
  readonly name: string
  readonly hosts: readonly string[]
  /** As the host names it; links may lead elsewhere. */
  readonly file: string
  readonly format: FormatName
  readonly path: readonly string[]
  /** Undefined once others have changed the file. */
  readonly edit?: TextEdit | undefined
  /** What stood there before, where it was replaced. */
  readonly replaced?: JsonObject | undefined
  /** The folders that were made for a file that was made; undefined where there was one. */
  readonly made?: readonly string[] | undefined
  /** A copy of the file as it was, for people. */
  readonly backup?: string | undefined
}

/** What was done to one file, the first first. */
export interface FileHistory {
  /** Of its text after the last of these. */
  readonly hash: string
  readonly records: readonly InstallRecord[]
}

/** By where files are. */
export type Journal = { readonly [real: string]: FileHistory }

const path = () => homeFolder('installs.json')

export function readJournal(): Journal {
  try {
    return checkJournal(JSON.parse(readFileSync(path(), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Error(
      `${path()} cannot be read: ${(error as Error).message}. It tells what was installed where: move it away, and what is in hosts' files has to be taken out by hand`,
    )
  }
}

/** Whoever has changed it by hand is told where it is no longer what we wrote. */
function checkJournal(value: unknown): Journal {
  if (!isObject(value)) throw new TypeError('expected an object with a member for each file')
  for (const [real, history] of Object.entries(value)) checkHistory(history, JSON.stringify(real))
  return value as unknown as Journal // It has just been looked at.
}

const checkEdit = membersOf(
  {
    at: expecting('a place in a text', (value) => Number.isInteger(value) && Number(value) >= 0),
    removed: text,
    inserted: text,
  } satisfies Members<TextEdit>,
  { needed: ['at', 'removed', 'inserted'] },
)

const checkHistory = membersOf(
  {
    hash: text,
    records: listOf(
      membersOf(
        {
          ...{ name: text, hosts: texts, file: text, format: oneOf(...Object.keys(FORMATS)), path: texts },
          ...{ edit: checkEdit, replaced: object, made: texts, backup: text },
        } satisfies Members<InstallRecord>,
        { needed: ['name', 'hosts', 'file', 'format', 'path'] },
      ),
    ),
  } satisfies Members<FileHistory>,
  { needed: ['hash', 'records'] },
)

/** Changes what is known of one file; without records nothing is. */
export async function writeHistory(real: string, history: FileHistory): Promise<void> {
  await makeFolderOf(path())
  await underLock(path(), async () => {
    const { [real]: _old, ...others } = readJournal()
    const journal = history.records.length === 0 ? others : { ...others, [real]: history }
    await writePrivate(path(), `${JSON.stringify(journal, undefined, 2)}\n`)
  })
}

/** Runs while no other command changes files and what is known of them. */
export async function alone<Result>(run: () => Promise<Result>): Promise<Result> {
  const place = homeFolder('installing')
  await makeFolderOf(place)
  return underLock(place, run)
}

/** Keeps a copy of a text where only its owner can read it; gives its path. */
export async function keepBackup(real: string, text: string): Promise<string> {
  const name = `${new Date().toISOString().replaceAll(/\D/g, '')}-${real.replaceAll(/[^\w.-]+/g, '_').slice(-100)}`
  const backup = homeFolder('backups', name)
  await makeFolderOf(backup)
  await writePrivate(backup, text)
  return backup
}
