import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isObject, type JsonObject } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'

/** A package, by its folder and what its package.json says. */
export interface NodePackage {
  readonly folder: string
  readonly json: JsonObject
}

/** The package that a file belongs to. */
export function findPackage(file: string): NodePackage {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (existsSync(path)) return { folder, json: readJson(path) }
    if (folder === dirname(folder))
      throw new UsageError(`${file} belongs to no package: there is no package.json beside it or above`)
  }
}

export function readJson(path: string): JsonObject {
  try {
    const json: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isObject(json)) return json
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
  throw new UsageError(`${path}: expected an object`)
}

/** A member that is a text with something in it. */
export function textOf(json: JsonObject, name: string): string | undefined {
  const value = json[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** An address, where that is one. */
export function urlOf(json: JsonObject, name: string): string | undefined {
  const text = textOf(json, name)
  return text !== undefined && /^https?:\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined
}

export interface PackageAuthor {
  readonly name: string
  readonly email?: string
  readonly url?: string
}

/** `Ann <ann@example.com> (https://example.com)`, or the same as an object. */
export function authorOf({ author }: JsonObject): PackageAuthor | undefined {
  if (typeof author === 'string') {
    const [, name = '', email, url] =
      /^([^<(]*?)\s*(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?$/.exec(author.trim()) ?? []
    return personOf({ name, email, url })
  }
  return isObject(author) ? personOf(author) : undefined
}

function personOf(json: JsonObject): PackageAuthor | undefined {
  const name = textOf(json, 'name')
  const email = textOf(json, 'email')
  const url = urlOf(json, 'url')
  if (name === undefined) return undefined
  return {
    name,
    ...(email !== undefined && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && { email }),
    ...(url !== undefined && { url }),
  }
}

/** Where the source is, as a browser opens it. */
export function repositoryOf({ repository }: JsonObject): string | undefined {
  const said = isObject(repository) ? textOf(repository, 'url') : repository
  if (typeof said !== 'string') return undefined
  const short = /^(?:(github|gitlab):)?([\w.-]+\/[\w.-]+)$/.exec(said)
  const url = (short ? `https://${short[1] ?? 'github'}.com/${short[2]}` : said)
    .replace(/^git\+/, '')
    .replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/')
    .replace(/^git:\/\//, 'https://')
    .replace(/\.git$/, '')
  return urlOf({ url }, 'url')
}
