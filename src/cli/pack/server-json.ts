import { cut, type Implementation, type JsonObject } from '../../kernel/index.ts'
import { isCardName } from '../../transports/http/card/options.ts'
import { UsageError } from '../usage-error.ts'
import { type NodePackage, repositoryOf, textOf, urlOf } from './package-json.ts'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** What the registry lets publishers add, and gives back. */
const PUBLISHED = 'io.modelcontextprotocol.registry/publisher-provided'

/** As long as the words of an entry may be, without the sign that something was cut. */
const MAX_WORDS = 99

/** What an entry of the registry is made of. */
export interface EntryParts {
  readonly info: Implementation
  readonly name: string
  readonly package?: NodePackage | undefined
  /** The bundle, where it will be downloaded from. */
  readonly bundle?: { readonly url: string; readonly sha256: string } | undefined
  /** Where it is served. */
  readonly remotes: readonly string[]
  /** The hash of what it promises. */
  readonly lock: string
}

/** What the registry is told of a server. */
export function serverJson({ info, name, package: own, bundle, remotes, lock }: EntryParts): JsonObject {
  const json = own?.json ?? {}
  const version = textOf(json, 'version') ?? info.version
  const description =
    info.description ?? textOf(json, 'description') ?? info.title ?? `The MCP server ${info.name}`
  const repository = repositoryOf(json)
  const website = info.websiteUrl ?? urlOf(json, 'homepage')
  const packages = [...npmPackage(own), ...(bundle === undefined ? [] : [bundlePackage(bundle)])]
  return {
    $schema: SCHEMA,
    name,
    ...(info.title !== undefined && { title: cut(info.title, MAX_WORDS) }),
    description: cut(description, MAX_WORDS),
    ...(repository !== undefined && { repository: { url: repository, source: hostOf(repository) } }),
    version: checkVersion(version),
    ...(website !== undefined && { websiteUrl: website }),
    ...(packages.length > 0 && { packages }),
    ...(remotes.length > 0 && { remotes: remotes.map((url) => ({ type: 'streamable-http', url })) }),
    _meta: { [PUBLISHED]: { 'perigee/lock': lock } },
  }
}

/** Whether somebody has let us write it. */
export function isOurs(json: JsonObject): boolean {
  const published = (json['_meta'] as JsonObject | undefined)?.[PUBLISHED] as JsonObject | undefined
  return published?.['perigee/lock'] !== undefined
}

/** What was typed, what the package says, or what its repository makes of it. */
export function entryName(typed: string | undefined, info: Implementation, own?: NodePackage): string {
  const json = own?.json ?? {}
  const said = typed ?? textOf(json, 'mcpName') ?? (isCardName(info.name) ? info.name : undefined)
  if (said !== undefined) return checkName(said)
  const [, owner] = /^https:\/\/github\.com\/([\w-]+)\//.exec(repositoryOf(json) ?? '') ?? []
  if (owner !== undefined) return checkName(`io.github.${owner}/${info.name.replace(/[^\w.-]+/g, '-')}`)
  throw new UsageError(
    'what is it called in the registry? Add "mcpName" to package.json, or --name, such as io.github.you/weather',
  )
}

function checkName(name: string): string {
  if (isCardName(name)) return name
  throw new UsageError(`name: expected a name such as io.github.you/weather, got ${JSON.stringify(name)}`)
}

/** The registry takes one version, and no range of them. */
function checkVersion(version: string): string {
  if (version.length <= 255 && !/^[\^~<>=]|\s|(^|\.)[x*]$|^latest$/.test(version)) return version
  throw new UsageError(`version: expected one such as 1.2.3, got ${JSON.stringify(version)}`)
}

/** A package that can be published, and run by its name. */
function npmPackage(own: NodePackage | undefined): readonly JsonObject[] {
  if (own === undefined || own.json['private'] === true || own.json['bin'] === undefined) return []
  const [identifier, version] = [textOf(own.json, 'name'), textOf(own.json, 'version')]
  if (identifier === undefined || version === undefined) return []
  return [{ registryType: 'npm', identifier, version, runtimeHint: 'npx', transport: { type: 'stdio' } }]
}

function bundlePackage({ url, sha256 }: NonNullable<EntryParts['bundle']>): JsonObject {
  return { registryType: 'mcpb', identifier: url, fileSha256: sha256, transport: { type: 'stdio' } }
}

/** `github` of `https://github.com/…`. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.(com|org)$/, '')
}
