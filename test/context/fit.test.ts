import { describe, expect, it } from 'vitest'
import { findingsOf } from '../../src/context/fit/findings.ts'
import { fitToolFor } from '../../src/context/fit/fit-tool.ts'
import { fittingFor } from '../../src/context/fitting.ts'
import { HOSTS, hostOf } from '../../src/context/hosts.ts'
import { defineServer, type ServerDefinition } from '../../src/index.ts'
import type { JsonObject, Server } from '../../src/kernel/index.ts'
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

/** In the shape of GitHub's issue_write, of which Gemini refused a value of `enum` that is no text. */
const ISSUE = {
  type: 'object',
  properties: {
    labels: {
      type: 'array',
      items: {
        type: 'object',
        properties: { remove: { type: 'boolean', enum: [true], description: 'Takes it off.' } },
      },
    },
  },
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

  it('has no value of enum that is no text where these are refused, and says it', () => {
    expect(fitted('gemini-cli', ISSUE)).toMatchObject({
      properties: {
        labels: {
          items: { properties: { remove: { type: 'boolean', description: 'Takes it off. (enum: [true])' } } },
        },
      },
    })
  })

  it('has no choice at its root where that is refused', () => {
    const schema = fitted('claude-code', ISSUE)
    expect(schema).not.toHaveProperty('anyOf')
    expect(schema['description']).toBe('(anyOf: [{"required":["labels"]},{"required":["title"]}])')
    expect(schema['properties']).toEqual(ISSUE.properties)
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
        for (const inputSchema of [CREATE, ISSUE])
          expect(
            findingsOf(fitToolFor(schemas, { name: 't', inputSchema })).filter(
              ({ because }) => because === schemas.because,
            ),
          ).toEqual([])
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
