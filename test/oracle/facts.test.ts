import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject, REVISIONS, type Revision } from '../../src/kernel/index.ts'
import { contentTypes } from './judge.ts'
import { needSpec, type Spec } from './spec.ts'
import { members, methods, optionalProperties, properties } from './union.ts'

/** Where a revision file and the schema differ on purpose; a difference that is gone must leave this list. */
interface Difference {
  readonly revisions: readonly string[]
  readonly fact: string
  /** In the schema and not in our file. */
  readonly unserved?: readonly string[]
  /** In our file and not in the schema. */
  readonly added?: readonly string[]
}

const HANDSHAKES = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const TASKS = ['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list']

const DIFFERENCES: readonly Difference[] = [
  // A server may have its client work on tasks, and this one does not.
  { revisions: ['2025-11-25'], fact: 'questions', unserved: TASKS },
  // A server may ping, and this one has no need to.
  { revisions: HANDSHAKES, fact: 'questions', unserved: ['ping'] },
  // The schemas got a word for extensions after servers had begun to declare them.
  { revisions: HANDSHAKES, fact: 'capabilities', added: ['extensions'] },
  // No author has a place to say it.
  { revisions: ['2025-11-25', '2026-07-28'], fact: 'fields.progress', unserved: ['_meta'] },
]

describe.each(REVISIONS)('the facts of $id', (revision) => {
  const compare = (fact: string, ours: readonly string[], theirs: Iterable<string>) => {
    const known = DIFFERENCES.filter((one) => one.fact === fact && one.revisions.includes(revision.id))
    const schema = [...theirs]
    expect(without(schema, ours), `${fact}: in the schema only`).toEqual(
      sorted(known.flatMap((one) => one.unserved ?? [])),
    )
    expect(without(ours, schema), `${fact}: in our file only`).toEqual(
      sorted(known.flatMap((one) => one.added ?? [])),
    )
  }

  it('have the methods of the schema', (context) => {
    const spec = needSpec(context, revision.id)
    compare('requests', revision.requests, methods(spec, 'ClientRequest').keys())
  })

  it('have the questions of the schema', (context) => {
    const spec = needSpec(context, revision.id)
    const union = 'ServerRequest' in spec.definitions ? 'ServerRequest' : 'InputRequest'
    compare('questions', revision.questions, methods(spec, union).keys())
  })

  it('have the capabilities of the schema', (context) => {
    const spec = needSpec(context, revision.id)
    compare('capabilities', revision.capabilities, Object.keys(properties(spec, 'ServerCapabilities')))
  })

  it('have the content blocks of the schema', (context) => {
    compare('contents', revision.contents, contentTypes(needSpec(context, revision.id)))
  })

  it('have the fields of the schema', (context) => {
    const spec = needSpec(context, revision.id)
    const { fields } = revision
    compare('fields.tool', fields.tool, optionalProperties(spec, 'Tool'))
    compare('fields.resource', fields.resource, optionalProperties(spec, 'Resource'))
    compare('fields.template', fields.template, optionalProperties(spec, 'ResourceTemplate'))
    compare('fields.prompt', fields.prompt, optionalProperties(spec, 'Prompt'))
    compare('fields.argument', fields.argument, optionalProperties(spec, 'PromptArgument'))
    compare('fields.implementation', fields.implementation, optionalProperties(spec, 'Implementation'))
    compare('fields.annotations', fields.annotations, Object.keys(annotations(spec)))
    compare('fields.progress', fields.progress, progressFields(spec))
  })

  it('have the fields of each kind of content', (context) => {
    const spec = needSpec(context, revision.id)
    const { content, resource } = revision.fields
    for (const name of ['TextContent', 'ImageContent', 'AudioContent', 'EmbeddedResource']) {
      if (name in spec.definitions) compare(`${name}`, content, optionalProperties(spec, name))
    }
    if ('ResourceLink' in spec.definitions) {
      compare('ResourceLink', resource, optionalProperties(spec, 'ResourceLink'))
    }
    const contents = ['mimeType', ...content.filter((field) => field !== 'annotations')]
    compare('TextResourceContents', contents, optionalProperties(spec, 'TextResourceContents'))
    compare('BlobResourceContents', contents, optionalProperties(spec, 'BlobResourceContents'))
  })

  it('are those that the shape of the schema implies', (context) => {
    const spec = needSpec(context, revision.id)
    const { opening, batches, asking, elicitation, elicitationId, logLevel } = revision
    const { structured, results, unreadableId } = revision
    expect({
      opening,
      batches,
      asking,
      elicitation,
      elicitationId,
      logLevel,
      structured,
      results,
      unreadableId,
    }).toEqual(implied(spec))
  })
})

it('no named difference is of a revision that is not there', () => {
  const ids = REVISIONS.map(({ id }) => id)
  expect(DIFFERENCES.flatMap(({ revisions }) => without(revisions, ids))).toEqual([])
})

type Implied = Pick<
  Revision,
  | 'opening'
  | 'batches'
  | 'asking'
  | 'elicitation'
  | 'elicitationId'
  | 'logLevel'
  | 'structured'
  | 'results'
  | 'unreadableId'
>

function implied(spec: Spec): Implied {
  const requests = methods(spec, 'ClientRequest')
  const required = (definition: string) => (spec.definitions[definition]?.['required'] ?? []) as string[]
  const url = 'ElicitRequestURLParams' in spec.definitions
  return {
    opening: requests.has('initialize') ? 'handshake' : 'every-request',
    batches: members(spec, 'JSONRPCMessage').includes('undefined'),
    asking: 'ServerRequest' in spec.definitions ? 'request' : 'retry',
    elicitation: 'ElicitRequest' in spec.definitions ? ['form', ...(url ? ['url' as const] : [])] : [],
    elicitationId: 'elicitationId' in properties(spec, 'ElicitRequestURLParams'),
    logLevel: requests.has('logging/setLevel') ? 'by-method' : 'by-request',
    structured: structuredContent(spec),
    results: required('CallToolResult').includes('resultType') ? 'stamped' : 'bare',
    unreadableId: required('JSONRPCError').includes('id') ? null : undefined,
  }
}

function structuredContent(spec: Spec): Revision['structured'] {
  const schema = properties(spec, 'CallToolResult')['structuredContent']
  if (!isObject(schema)) return 'none'
  return schema['type'] === 'object' ? 'object' : 'any'
}

/** The oldest schema writes them out wherever they occur. */
function annotations(spec: Spec): JsonObject {
  if ('Annotations' in spec.definitions) return properties(spec, 'Annotations')
  return (properties(spec, 'Annotated')['annotations'] as { readonly properties: JsonObject }).properties
}

/** Older schemas write the parameters of a notice out in the notice. */
function progressFields(spec: Spec): readonly string[] {
  if ('ProgressNotificationParams' in spec.definitions) {
    return optionalProperties(spec, 'ProgressNotificationParams')
  }
  const params = properties(spec, 'ProgressNotification')['params'] as {
    readonly properties: JsonObject
    readonly required: readonly string[]
  }
  return without(Object.keys(params.properties), params.required)
}

function without(values: readonly string[], others: readonly string[]): readonly string[] {
  return sorted(values.filter((value) => !others.includes(value)))
}

function sorted(values: readonly string[]): readonly string[] {
  return values.toSorted((one, other) => (one < other ? -1 : 1))
}
