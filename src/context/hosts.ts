import type { Implementation } from '../kernel/index.ts'
import { SHOWN, type ShownParts } from './shown-parts.ts'

/** What a host does with schemas that it does not take; `because` names where that was reported. */
export interface Host {
  readonly id: string
  /** By the name it gives at the beginning. */
  readonly name: RegExp
  /** Whether it searches among tools itself: tools that were hidden from it would be missing from its index. */
  readonly searches?: true
  readonly schemas?: SchemaRules
  readonly larger?: LargerResults
  readonly shows?: ShownParts
}

/** Where a host shows its model the beginning of a result alone, unless the tool is listed with a member that says otherwise. */
export interface LargerResults {
  readonly because: string
  /** The member of `_meta`, in characters. */
  readonly meta: string
  /** What it shows anyway, and what it shows at most. */
  readonly above: number
  readonly upTo: number
}

export interface SchemaRules {
  readonly because: string
  /** What a schema may have that it refuses, or does not show its model. */
  readonly traits: readonly Trait[]
  /** Keywords that it refuses, or does not show. */
  readonly keywords?: readonly string[]
}

/** References; a `$schema`; a type or null; several types at once; several schemas at the root; values of `enum` that are no texts; lists that say nothing of their entries. */
export type Trait = 'refs' | 'dialect' | 'nullable' | 'types' | 'root-union' | 'enum-values' | 'bare-array'

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
    larger: {
      because: 'anthropics/claude-code#42869, sirkirby/unifi-mcp#144',
      meta: 'anthropic/maxResultSizeChars',
      above: 50_000,
      upTo: 500_000,
    },
    shows: SHOWN['claude-code'],
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
    shows: SHOWN.codex,
  },
  {
    id: 'gemini-cli',
    name: /^gemini-cli/i,
    schemas: {
      because:
        'google-gemini/gemini-cli#13326, github/copilot-cli#4623, danny-avila/LibreChat#13850, n8n-io/n8n#15553',
      traits: ['refs', 'dialect', 'nullable', 'types', 'enum-values', 'bare-array'],
      keywords: GEMINI,
    },
  },
  {
    id: 'opencode',
    name: /^opencode/i,
    schemas: { because: 'anomalyco/opencode#39908', traits: ['dialect', 'root-union'] },
    shows: SHOWN.opencode,
  },
]

export function hostOf(info: Implementation | undefined): Host | undefined {
  const name = info?.name
  return typeof name === 'string' ? HOSTS.find((host) => host.name.test(name)) : undefined
}

export function searchesItself(info: Implementation | undefined): boolean {
  return hostOf(info)?.searches === true
}
