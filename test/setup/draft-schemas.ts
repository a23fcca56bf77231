import { Ajv } from 'ajv'

/**
 * What the drafts demand, written down from their texts, since no package has their schemas: the server card of
 * SEP-2127 (2026-07-24), server.json of the registry (2025-12-11), and the manifest of bundles (0.3).
 */
const string = { type: 'string' } as const
const uri = { type: 'string', pattern: '^[a-z][a-z0-9+.-]*:' } as const
const flag = { type: 'boolean' } as const
const listOf = (items: object) => ({ type: 'array', items }) as const
const mapOf = (additionalProperties: object) => ({ type: 'object', additionalProperties }) as const
const object = (required: readonly string[], properties: object) =>
  ({ type: 'object', required, properties }) as const

const NAME = { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' }
const WORDS = { type: 'string', minLength: 1, maxLength: 100 }
const VERSION = { type: 'string', maxLength: 255, not: { pattern: '^[\\^~<>=]|[x*]$' } }
const ICON = object(['src'], { src: uri, sizes: listOf({ type: 'string', pattern: '^(\\d+x\\d+|any)$' }) })
const REPOSITORY = object(['url', 'source'], { url: uri, source: string, subfolder: string, id: string })

const INPUT = {
  description: string,
  isRequired: flag,
  isSecret: flag,
  format: { enum: ['string', 'number', 'boolean', 'filepath'] },
  default: string,
  placeholder: string,
  value: string,
  choices: listOf(string),
}
const WITH_VARIABLES = { ...INPUT, variables: mapOf(object([], INPUT)) }
const NAMED_INPUT = object(['name'], { ...WITH_VARIABLES, name: string })

const remote = (url: object) =>
  object(['type', 'url'], {
    type: { enum: ['streamable-http', 'sse'] },
    url,
    headers: listOf(NAMED_INPUT),
    variables: mapOf(object([], INPUT)),
    supportedProtocolVersions: listOf(string),
  })

const ARGUMENT = {
  anyOf: [
    {
      ...object(['type'], { ...WITH_VARIABLES, type: { const: 'positional' }, valueHint: string }),
      anyOf: [{ required: ['value'] }, { required: ['valueHint'] }],
    },
    object(['type', 'name'], { ...WITH_VARIABLES, type: { const: 'named' }, name: string }),
  ],
}

const PACKAGE = object(['registryType', 'identifier', 'transport'], {
  registryType: string,
  registryBaseUrl: uri,
  identifier: string,
  version: { type: 'string', minLength: 1, not: { const: 'latest' } },
  fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
  runtimeHint: string,
  transport: { anyOf: [object(['type'], { type: { const: 'stdio' } }), remote(string)] },
  runtimeArguments: listOf(ARGUMENT),
  packageArguments: listOf(ARGUMENT),
  environmentVariables: listOf(NAMED_INPUT),
})

const ABOUT = {
  name: NAME,
  version: VERSION,
  description: WORDS,
  title: WORDS,
  websiteUrl: uri,
  repository: REPOSITORY,
  icons: listOf(ICON),
}

/** Nothing but these. */
const exactly = (required: readonly string[], properties: object) => ({
  ...object(required, properties),
  additionalProperties: false,
})

const MANIFEST = exactly(['name', 'version', 'description', 'author', 'server', 'manifest_version'], {
  $schema: string,
  manifest_version: { const: '0.3' },
  ...{ name: string, display_name: string, version: string, description: string, long_description: string },
  author: exactly(['name'], {
    name: string,
    email: { type: 'string', pattern: '^[^@ ]+@[^@ ]+\\.[^@ ]+$' },
    url: uri,
  }),
  repository: exactly(['type', 'url'], { type: string, url: uri }),
  ...{ homepage: uri, documentation: uri, support: uri, icon: string, license: string },
  server: exactly(['type', 'entry_point', 'mcp_config'], {
    type: { enum: ['python', 'node', 'binary'] },
    entry_point: string,
    mcp_config: exactly(['command'], { command: string, args: listOf(string), env: mapOf(string) }),
  }),
  tools: listOf(exactly(['name'], { name: string, description: string })),
  tools_generated: flag,
  prompts_generated: flag,
  keywords: listOf(string),
  compatibility: exactly([], {
    claude_desktop: string,
    platforms: listOf({ enum: ['darwin', 'win32', 'linux'] }),
    runtimes: exactly([], { python: string, node: string }),
  }),
  _meta: mapOf({ type: 'object' }),
})

const SCHEMAS = {
  'manifest.json': MANIFEST,
  'server-card': object(['$schema', 'name', 'version', 'description'], {
    ...ABOUT,
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json' },
    remotes: listOf(remote({ type: 'string', pattern: '^(https?://\\S+|\\{[a-zA-Z_]\\w*\\}\\S*)$' })),
    _meta: { type: 'object', propertyNames: { pattern: '^([a-z][\\w.-]*/)?\\w([\\w.-]*\\w)?$' } },
  }),
  'server.json': object(['name', 'description', 'version'], {
    ...ABOUT,
    $schema: uri,
    packages: listOf(PACKAGE),
    remotes: listOf(remote(string)),
    _meta: object([], { 'io.modelcontextprotocol.registry/publisher-provided': { type: 'object' } }),
  }),
}

const ajv = new Ajv({ allErrors: true, strict: false })
const CHECKS = Object.fromEntries(
  Object.entries(SCHEMAS).map(([name, schema]) => [name, ajv.compile(schema)]),
)

/** What a draft finds wrong with a document. */
export function checkAgainst(name: keyof typeof SCHEMAS, document: unknown): readonly string[] {
  const check = CHECKS[name]
  if (check === undefined || check(document)) return []
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
