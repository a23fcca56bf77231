import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findingsOf } from '../../src/context/fit/findings.ts'
import { fitToolFor } from '../../src/context/fit/fit-tool.ts'
import { fittingFor } from '../../src/context/fitting.ts'
import { HOSTS, hostOf } from '../../src/context/hosts.ts'
import { defineServer, type ServerDefinition } from '../../src/index.ts'
import type { JsonObject, Server } from '../../src/kernel/index.ts'
import { createValidator } from '../../src/schema/index.ts'
import { connectText } from '../../src/transports/memory/index.ts'

/** In the shape of gemini-cli#13326: a choice between a text and something that is defined elsewhere, or nothing. */
const CREATE = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    target: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/Table' }] },
    mode: { anyOf: [{ $ref: '#/$defs/Mode' }, { type: 'null' }], default: null },
    limit: { type: ['integer', 'null'], exclusiveMinimum: 0 },
    tags: { type: 'array' },
    const: { type: 'string' },
  },
  required: ['target'],
  additionalProperties: false,
  $defs: {
    Table: { type: 'object', properties: { name: { type: 'string' }, parent: { $ref: '#/$defs/Table' } } },
    Mode: { type: 'string', enum: ['create', 'replace'], description: 'How.' },
  },
} as const

/** What Gemini refused of GitHub's issue_write (kilocode#11950): `delete`, whose `enum` is no text. Its words are left out. */
const ISSUE_WRITE = {
  type: 'object',
  properties: {
    method: { type: 'string', enum: ['create', 'update'] },
    owner: { type: 'string' },
    repo: { type: 'string' },
    issue_number: { type: 'number' },
    title: { type: 'string' },
    body: { type: 'string' },
    assignees: { type: 'array', items: { type: 'string' } },
    labels: { type: 'array', items: { type: 'string' } },
    milestone: { type: 'number' },
    type: { type: 'string' },
    state: { type: 'string', enum: ['open', 'closed'] },
    state_reason: { type: 'string', enum: ['completed', 'not_planned', 'duplicate'] },
    duplicate_of: { type: 'number' },
    issue_fields: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          delete: { type: 'boolean', enum: [true], description: 'Takes it off.' },
          field_name: { type: 'string' },
          field_option_name: { type: 'string' },
          value: { type: ['string', 'number', 'boolean'] },
        },
        required: ['field_name'],
      },
    },
    show_ui: { type: 'boolean' },
  },
  required: ['method', 'owner', 'repo'],
} as const

/** What may be many things, or nothing. */
const MANY = {
  type: 'object',
  properties: {
    cell: { type: ['string', 'number', 'array', 'null'], description: 'A cell.' },
    sort: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    way: { type: ['string', 'null'], enum: ['up', 'down', null] },
  },
} as const

/** A choice at the root, which Claude's API refuses. */
const CHOICE = {
  type: 'object',
  properties: { labels: { type: 'array', items: { type: 'string' } }, title: { type: 'string' } },
  anyOf: [{ required: ['labels'] }, { required: ['title'] }],
} as const

function fitted(id: string, inputSchema: JsonObject): JsonObject {
  const rules = HOSTS.find((host) => host.id === id)?.schemas
  if (rules === undefined) throw new Error(`no rules for ${id}`)
  return fitToolFor(rules, { name: 't', inputSchema })['inputSchema'] as JsonObject
}

describe('a schema, for a host', () => {
  it('has what it refers to in place of references, something in place of something or nothing, and tells what is refused', () => {
    expect(fitted('gemini-cli', CREATE)).toEqual({
      type: 'object',
      properties: {
        target: {
          anyOf: [
            { type: 'string' },
            { type: 'object', properties: { name: { type: 'string' }, parent: { type: 'object' } } },
          ],
        },
        mode: { type: 'string', enum: ['create', 'replace'], description: 'How.', default: null },
        limit: { type: 'integer', description: '(exclusiveMinimum: 0)' },
        tags: { type: 'array', items: {} },
        const: { type: 'string' },
      },
      required: ['target'],
    })
  })

  it('says of what contains itself what it is, and leaves a reference alone that leads nowhere', () => {
    const $defs = { List: { type: 'array', items: { $ref: '#/$defs/List' } } }
    const list = { type: 'object', properties: { list: { $ref: '#/$defs/List' } }, $defs }
    expect(fitted('codex', list)['properties']).toEqual({ list: { type: 'array', items: { type: 'array' } } })
    const odd = { type: 'object', properties: { share: { $ref: '#/$defs/100%' } } }
    expect(fitted('codex', odd)).toEqual(odd)
  })

  it('has no value of enum that is no text where these are refused, and says it', () => {
    const { issue_fields, ...others } = ISSUE_WRITE.properties
    const { delete: _delete, ...fields } = issue_fields.items.properties
    expect(fitted('gemini-cli', ISSUE_WRITE)).toEqual({
      ...ISSUE_WRITE,
      properties: {
        ...others,
        issue_fields: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              ...fields,
              delete: { type: 'boolean', description: 'Takes it off. (enum: [true])' },
              value: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
            },
            required: ['field_name'],
          },
        },
      },
    })
  })

  it('has one type at a time where several are refused, and leaves out that it may be nothing', () => {
    expect(fitted('gemini-cli', MANY)['properties']).toEqual({
      cell: {
        description: 'A cell.',
        anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'array', items: {} }],
      },
      sort: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      way: { type: 'string', enum: ['up', 'down'] },
    })
  })

  it('has no choice at its root where that is refused', () => {
    const schema = fitted('claude-code', CHOICE)
    expect(schema).not.toHaveProperty('anyOf')
    expect(schema['description']).toBe('(anyOf: [{"required":["labels"]},{"required":["title"]}])')
    expect(schema['properties']).toEqual(CHOICE.properties)
  })

  it('is left alone where nothing in it is refused', () => {
    const rules = HOSTS.find(({ id }) => id === 'claude-code')?.schemas
    const tool = { name: 't', inputSchema: { type: 'object', properties: { a: { anyOf: [{}, {}] } } } }
    expect(rules && fitToolFor(rules, tool)).toBe(tool)
  })

  it('keeps references that would have no end', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`p${at}`, { $ref: `#/$defs/d${at + 1}` }]),
    )
    const $defs = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`d${at}`, { type: 'object', properties: wide }]),
    )
    const schema = { type: 'object', properties: wide, $defs }
    expect(fitted('codex', schema)).toEqual(schema)
    const other = { type: 'object', properties: { a: { $ref: 'https://example.com/a' } } }
    expect(fitted('codex', other)).toEqual(other)
  })
})

describe('what hosts refuse of a tool', () => {
  it('is told with the place, and is nothing once it has been mended', () => {
    const found = findingsOf({ name: 'create', inputSchema: CREATE }).filter(
      ({ host }) => host === 'gemini-cli',
    )
    expect(found.map(({ at, what }) => `${at}: ${what}`)).toContain(
      'inputSchema/properties/target/anyOf/1: $ref',
    )
    expect(found.length).toBeGreaterThan(6)
    for (const { schemas } of HOSTS)
      if (schemas !== undefined)
        for (const inputSchema of [CREATE, ISSUE_WRITE, CHOICE, MANY])
          expect(
            findingsOf(fitToolFor(schemas, { name: 't', inputSchema })).filter(
              ({ because }) => because === schemas.because,
            ),
          ).toEqual([])
  })
})

describe('the schemas of five public servers', () => {
  const servers = JSON.parse(readFileSync(join(import.meta.dirname, 'public-servers.json'), 'utf8')) as {
    readonly server: string
    readonly tools: readonly JsonObject[]
  }[]
  const validator = createValidator()

  it.each(servers)(
    'of $server are taken by every host once they are fitted, and ask for the same',
    ({ tools }) => {
      for (const { id, schemas } of HOSTS)
        for (const tool of tools) {
          const fitted = schemas === undefined ? tool : fitToolFor(schemas, tool)
          expect(
            findingsOf(fitted).filter(({ host }) => host === id),
            `${tool['name']} for ${id}`,
          ).toEqual([])
          for (const use of ['inputSchema', 'outputSchema'] as const)
            if (tool[use] !== undefined) {
              const [before, after] = [tool[use], fitted[use]] as [JsonObject, JsonObject]
              expect(() => validator.shape(after, use === 'inputSchema' ? 'input' : 'output')).not.toThrow()
              expect(after['required']).toEqual(before['required'])
              expect(Object.keys(after['properties'] ?? {})).toEqual(Object.keys(before['properties'] ?? {}))
            }
        }
    },
  )

  it('have something that some host would refuse or lose', () => {
    const refused = servers.map(({ server, tools }) => [
      server.replace(/@[^@]*$/, ''),
      [...new Set(tools.flatMap((tool) => findingsOf(tool).map(({ host }) => host)))].sort(),
    ])
    expect(Object.fromEntries(refused)).toMatchInlineSnapshot(`
      {
        "@modelcontextprotocol/server-everything": [
          "claude-code",
          "gemini-cli",
          "opencode",
          "vscode",
        ],
        "@modelcontextprotocol/server-filesystem": [
          "claude-code",
          "gemini-cli",
          "opencode",
          "vscode",
        ],
        "@modelcontextprotocol/server-memory": [
          "claude-code",
          "gemini-cli",
          "opencode",
          "vscode",
        ],
        "@playwright/mcp": [
          "claude-code",
          "codex",
          "gemini-cli",
          "opencode",
          "vscode",
        ],
        "@upstash/context7-mcp": [
          "claude-code",
          "gemini-cli",
          "opencode",
          "vscode",
        ],
      }
    `)
  })
})

describe('a list of tools', () => {
  function list(name: string, more: Partial<ServerDefinition> = {}): JsonObject {
    const tools = [
      {
        name: 'create',
        input: { type: 'object', $defs: { a: { type: 'string' } }, properties: { a: { $ref: '#/$defs/a' } } },
        run: () => '',
      },
    ]
    const server = defineServer({ name: 's', version: '1', tools, ...more }) as Server
    const said: { result: JsonObject }[] = []
    const line = connectText(server, (text) => void said.push(JSON.parse(text)))
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name, version: '1' },
    }
    line.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } })
    return said[0]?.result ?? {}
  }

  it('is fitted to a host in the table, and then not for others', () => {
    expect(list('gemini-cli-mcp-client')).toMatchObject({
      cacheScope: 'private',
      tools: [{ inputSchema: { properties: { a: { type: 'string' } } } }],
    })
  })

  it('is untouched for any other, and where fitting is off', () => {
    const untouched = {
      cacheScope: 'public',
      tools: [{ inputSchema: { properties: { a: { $ref: '#/$defs/a' } } } }],
    }
    expect(list('somebody')).toMatchObject(untouched)
    expect(list('gemini-cli-mcp-client', { fit: 'off' })).toMatchObject(untouched)
  })

  it('asks Claude Code for room for results that its budgets allow, and no other host', () => {
    const key = 'anthropic/maxResultSizeChars'
    const tools = [
      { name: 'small', budget: { tokens: 5000 }, run: () => '' },
      { name: 'large', budget: { tokens: 60_000 }, run: () => '' },
      { name: 'huge', budget: { tokens: 1_000_000 }, run: () => '' },
      { name: 'own', _meta: { [key]: 70_000, mine: 1 }, run: () => '' },
      { name: 'usual', _meta: { mine: 1 }, run: () => '' },
    ]
    const metas = (name: string, more: Partial<ServerDefinition> = {}) =>
      (list(name, { budget: { tokens: 20_000 }, tools, ...more })['tools'] as JsonObject[]).map(
        ({ _meta }) => _meta,
      )
    expect(metas('claude-code')).toEqual([
      undefined,
      { [key]: 360_000 },
      { [key]: 500_000 },
      { [key]: 70_000, mine: 1 },
      { [key]: 120_000, mine: 1 },
    ])
    const asWritten = [undefined, undefined, undefined, { [key]: 70_000, mine: 1 }, { mine: 1 }]
    expect(metas('opencode')).toEqual(asWritten)
    expect(metas('claude-code', { fit: 'off' })).toEqual(asWritten)
    expect(metas('claude-code', { offer: 'search' })).toEqual([{ [key]: 120_000 }, { [key]: 120_000 }])
  })

  it('is fitted for every host that has rules', () => {
    const names = [
      'claude-code',
      'Visual Studio Code',
      'codex-mcp-client',
      'gemini-cli-mcp-client',
      'opencode',
    ]
    expect(HOSTS.filter(({ schemas }) => schemas !== undefined)).toHaveLength(names.length)
    for (const name of names) {
      expect(hostOf({ name, version: '1' })?.schemas, name).toBeDefined()
      expect(fittingFor({ name, version: '1' }), name).toBeDefined()
    }
  })
})
