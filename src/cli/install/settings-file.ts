import { createHash, randomUUID } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'

/** A file of settings as it was found. */
export interface SettingsFile {
  /** Where it is, whatever links lead there. */
  readonly real: string
  /** Undefined where there is none yet. */
  readonly text: string | undefined
}

/** Why a file is left alone. */
export class FileTrouble extends Error {}

const LARGEST = 64 * 1024 * 1024
const MOST_LINKS = 40

export function readSettings(path: string): SettingsFile {
  const real = follow(resolve(path), 0)
  const found = attempt(real, () => statSync(real, { throwIfNoEntry: false }))
  if (found === undefined) return { real, text: undefined }
  if (!found.isFile()) throw new FileTrouble(`${real} is no file`)
  if (found.size > LARGEST) throw new FileTrouble(`${real} is too large`)
  return {
    real,
    text: decode(
      real,
      attempt(real, () => readFileSync(real)),
    ),
  }
}

/** Throws unless it can be written; who has taken away the right to write from everybody meant it. */
export function checkWritable({ real, text }: SettingsFile): void {
  if (text === undefined) return
  const { mode } = attempt(real, () => statSync(real))
  if ((mode & 0o222) === 0) throw new FileTrouble(`${real} may not be written`)
  attempt(real, () => accessSync(real, constants.W_OK))
  attempt(dirname(real), () => accessSync(dirname(real), constants.W_OK))
}

/** Writes it as a whole or not at all, unless somebody else was faster. */
export function writeSettings(file: SettingsFile, text: string): void {
  const { real } = file
  const made = attempt(dirname(real), () => makeFolders(dirname(real)))
  const beside = `${real}.perigee-${randomUUID().slice(0, 8)}`
  try {
    const old = statSync(real, { throwIfNoEntry: false })
    writeWhole(beside, text, old)
    checkUnchanged(file)
    renameSync(beside, real)
  } catch (error) {
    rmSync(beside, { force: true })
    removeFolders(made)
    throw error instanceof FileTrouble ? error : trouble(real, error)
  }
}

/** Takes away a file that was made, unless somebody else was faster, and folders that were made for it as far as nothing else is in them. */
export function removeSettings(file: SettingsFile, made: readonly string[]): void {
  checkUnchanged(file)
  attempt(file.real, () => rmSync(file.real, { force: true }))
  removeFolders(made)
}

/** The folders that a file would need and that are not there, the outermost first. */
export function missingFolders(folder: string): readonly string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder]
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function checkUnchanged({ real, text }: SettingsFile): void {
  if (readSettings(real).text !== text)
    throw new FileTrouble(`${real} was changed by somebody else meanwhile; try again`)
}

function follow(path: string, links: number): string {
  const found = attempt(path, () => lstatSync(path, { throwIfNoEntry: false }))
  if (found?.isSymbolicLink() !== true) return path
  if (links > MOST_LINKS) throw new FileTrouble(`${path} leads in circles`)
  return follow(resolve(dirname(path), readlinkSync(path)), links + 1)
}

function decode(real: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new FileTrouble(`${real} is not in UTF-8`)
  }
}

function writeWhole(path: string, text: string, old: Stats | undefined): void {
  const file = openSync(path, 'wx', old === undefined ? 0o666 : 0o600)
  try {
    writeFileSync(file, text)
    if (old !== undefined) {
      fchmodSync(file, old.mode & 0o7777)
      own(file, old)
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function own(file: number, { uid, gid }: Stats): void {
  try {
    fchownSync(file, uid, gid)
  } catch {
    // Only root may give files away, and others have their own here.
  }
}

function makeFolders(folder: string): readonly string[] {
  const missing = missingFolders(folder)
  for (const one of missing) mkdirSync(one)
  return missing
}

function removeFolders(made: readonly string[]): void {
  for (const folder of made.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      return // Somebody else has put something there, which is theirs.
    }
  }
}

function attempt<Result>(path: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw error instanceof FileTrouble ? error : trouble(path, error)
  }
}

const REASONS: { readonly [code: string]: string } = {
  EACCES: 'may not be read or written',
  EPERM: 'may not be written',
  EROFS: 'cannot be written: nothing can be there',
  ENOSPC: 'cannot be written: there is no room left',
  EBUSY: 'cannot be replaced: it is mounted',
  ENOTDIR: 'cannot be: a part of the path is a file',
  ELOOP: 'leads in circles',
}

function trouble(path: string, error: unknown): FileTrouble {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new FileTrouble(`${path} ${REASONS[code] ?? `cannot be written: ${message}`}`)
}
