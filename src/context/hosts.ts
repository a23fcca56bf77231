import type { Implementation } from '../kernel/index.ts'

/** What a host does with schemas that it does not take; `because` names where that was reported. */
export interface Host {
  readonly id: string
  /** By the name it gives at the beginning. */
  readonly name: RegExp
  /** Whether it searches among tools itself: tools that were hidden from it would be missing from its index. */
  readonly searches?: true
  readonly schemas?: SchemaRules
}

export interface SchemaRules {
  readonly because: string
  /** What a schema may have that it refuses, or does not show its model. */
  readonly traits: readonly Trait[]
  /** Keywords that it refuses, or does not show. */
  readonly keywords?: readonly string[]
}

/** References; a `$schema`; a type or null; several schemas at the root; values of `enum` that are no texts; lists that say nothing of their entries. */
export type Trait = 'refs' | 'dialect' | 'nullable' | 'root-union' | 'enum-values' | 'bare-array'

const GEMINI = [
  ...['additionalProperties', 'patternProperties', 'propertyNames', 'unevaluatedProperties', 'const', 'not'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems', 'contains', 'prefixItems'],
  ...[
    'dependentRequired',
    'dependentSchemas',
    'dependencies',
    'if',
    'then',
    'else',
    'examples',
    'oneOf',
    'allOf',
  ],
  ...[
    'readOnly',
    'writeOnly',
    'deprecated',
    '$comment',
    'contentEncoding',
    'contentMediaType',
    'contentSchema',
  ],
]

export const HOSTS: readonly Host[] = [
  {
    id: 'claude-code',
    name: /^claude-code$/i,
    searches: true,
    schemas: {
      because: 'zereight/gitlab-mcp#550, nataliapc/mcp-openmsx#22',
      traits: ['root-union', 'dialect'],
    },
  },
  {
    id: 'vscode',
    name: /^visual studio code/i,
    searches: true,
    schemas: {
      because: 'microsoft/vscode#248810, executeautomation/mcp-playwright#219',
      traits: ['bare-array', 'dialect'],
    },
  },
  { id: 'openai', name: /^openai-mcp/i, searches: true },
  {
    id: 'codex',
    name: /^codex-mcp-client/i,
    searches: true,
    schemas: { because: 'openai/codex#13768', traits: ['nullable', 'refs'] },
  },
  {
    id: 'gemini-cli',
    name: /^gemini-cli/i,
    schemas: {
      because: 'google-gemini/gemini-cli#13326, github/copilot-cli#4623, danny-avila/LibreChat#13850',
      traits: ['refs', 'dialect', 'nullable', 'enum-values', 'bare-array'],
      keywords: GEMINI,
    },
  },
  {
    id: 'opencode',
    name: /^opencode/i,
    schemas: { because: 'anomalyco/opencode#39908', traits: ['dialect', 'root-union'] },
  },
]

export function hostOf(info: Implementation | undefined): Host | undefined {
  const name = info?.name
  return typeof name === 'string' ? HOSTS.find((host) => host.name.test(name)) : undefined
}

export function searchesItself(info: Implementation | undefined): boolean {
  return hostOf(info)?.searches === true
}
