import type { Tool } from '../../client/index.ts'
import type { Implementation, JsonObject } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'
import { collectFiles } from './collect.ts'
import { authorOf, type NodePackage, repositoryOf, textOf, urlOf } from './package-json.ts'
import { zip } from './zip.ts'

/** What a bundle is made of. */
export interface BundleParts {
  readonly info: Implementation
  readonly package: NodePackage
  /** The file that exports the server, in the package. */
  readonly entry: string
  readonly tools: readonly Tool[]
  readonly hasPrompts: boolean
  readonly author: string | undefined
  /** The hash of what it promises. */
  readonly lock: string
}

const COMMAND = 'node_modules/perigee/dist/cli/bin/perigee.js'

/** An archive that hosts install with a click: the server, what it needs, and a manifest. */
export function makeBundle(parts: BundleParts): Buffer {
  const { entry } = parts
  const files = collectFiles(parts.package).filter(({ path }) => path !== 'manifest.json')
  for (const needed of [entry, COMMAND])
    if (!files.some(({ path }) => path === needed)) throw new UsageError(missing(needed, parts))
  const manifest = Buffer.from(`${JSON.stringify(manifestOf(parts), undefined, 2)}\n`)
  return zip([...files, { path: 'manifest.json', bytes: manifest, executable: false }])
}

function missing(needed: string, { entry }: BundleParts): string {
  return needed === entry
    ? `${entry} would not be in the bundle: "files" of package.json leaves it out`
    : 'perigee would not be in the bundle: it is none of the "dependencies" of package.json'
}

/** What a host shows and starts, by the schema 0.3. */
export function manifestOf(parts: BundleParts): JsonObject {
  const { info, entry, tools, hasPrompts, lock } = parts
  const { json } = parts.package
  const repository = repositoryOf(json)
  const homepage = info.websiteUrl ?? urlOf(json, 'homepage')
  const license = textOf(json, 'license')
  const { keywords } = json
  return {
    manifest_version: '0.3',
    name: bundleName(parts),
    ...(info.title !== undefined && { display_name: info.title }),
    version: textOf(json, 'version') ?? info.version,
    description:
      info.description ?? textOf(json, 'description') ?? info.title ?? `The MCP server ${info.name}`,
    author: author(parts),
    ...(repository !== undefined && { repository: { type: 'git', url: repository } }),
    ...(homepage !== undefined && { homepage }),
    server: {
      type: 'node',
      entry_point: entry,
      mcp_config: { command: 'node', args: [inside(COMMAND), 'serve', inside(entry), '--stdio'], env: {} },
    },
    tools: tools.map(({ name, description }) => ({
      name,
      ...(description !== undefined && { description }),
    })),
    ...(hasPrompts && { prompts_generated: true }),
    ...(Array.isArray(keywords) && { keywords: keywords.map(String) }),
    ...(license !== undefined && { license }),
    compatibility: { runtimes: { node: NODE } },
    _meta: { perigee: { lock } },
  }
}

/** What perigee itself needs. */
const NODE = '>=20.19'

const inside = (path: string) => `\${__dirname}/${path}`

/** A name that is a file's, too. */
export function bundleName({ info, package: { json } }: Pick<BundleParts, 'info' | 'package'>): string {
  const name = textOf(json, 'name') ?? info.name
  return name.replace(/^@[^/]+\//, '').replace(/[^\w.-]+/g, '-')
}

/** Hosts show who has made it, and take no bundle that does not say so. */
function author({ author, package: { json } }: BundleParts): JsonObject {
  const person = author === undefined ? authorOf(json) : { name: author }
  if (person !== undefined) return { ...person }
  throw new UsageError('who has made it? Add "author" to package.json, or --author NAME')
}
