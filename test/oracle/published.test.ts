import * as published from '@modelcontextprotocol/core'
import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject, REVISIONS } from '../../src/kernel/index.ts'
import { converse } from './conversation.ts'
import { RESULTS } from './judge.ts'
import type { Heard } from './recorder.ts'

/** The part of a zod schema that is looked at here. */
interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: unknown }
  readonly shape?: { readonly [member: string]: unknown }
  readonly options?: readonly Schema[]
}

const SCHEMAS = published as unknown as { readonly [name: string]: Schema } // Looked up by name.

function schema(definition: string): Schema {
  const found = SCHEMAS[`${definition}Schema`]
  if (found === undefined) throw new Error(`@modelcontextprotocol/core has no ${definition}`)
  return found
}

function shape(definition: string): readonly string[] {
  return Object.keys(schema(definition).shape ?? {})
}

/** The constants of a union by one of its members: its methods, or the types of its blocks. */
function constants(union: string, member: string): readonly string[] {
  return (schema(union).options ?? []).map((option) => {
    const literal = option.shape?.[member] as { readonly value: string } | undefined
    return literal?.value ?? ''
  })
}

/** In core's own words: they hold the members of all revisions at once. */
const KINDS = {
  tool: 'Tool',
  resource: 'Resource',
  template: 'ResourceTemplate',
  prompt: 'Prompt',
  argument: 'PromptArgument',
  annotations: 'Annotations',
  implementation: 'Implementation',
  content: 'TextContent',
  progress: 'ProgressNotificationParams',
} as const

const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[]

/** Core's schemas have given up the tasks of 2025-11-25. */
function kept(methods: readonly string[]): string[] {
  return methods.filter((method) => !method.startsWith('tasks/'))
}

/** Fields of the revisions that core's schemas do not know. */
const MISSING = [{ kind: 'argument', field: 'title' }] as const

describe.each(REVISIONS)('$id beside the published zod schemas', (revision) => {
  it('has no method, question, capability, block or field that they do not have', () => {
    expect(constants('ClientRequest', 'method')).toEqual(expect.arrayContaining(kept(revision.requests)))
    expect(constants('ServerRequest', 'method')).toEqual(expect.arrayContaining([...revision.questions]))
    expect(constants('ContentBlock', 'type')).toEqual(expect.arrayContaining([...revision.contents]))
    expect(shape('ServerCapabilities')).toEqual(expect.arrayContaining([...revision.capabilities]))
    const unknown = kinds.flatMap((kind) =>
      revision.fields[kind]
        .filter((field) => !shape(KINDS[kind]).includes(field))
        .map((field) => ({ kind, field })),
    )
    expect(unknown).toEqual(MISSING.filter(({ kind, field }) => revision.fields[kind].includes(field)))
  })

  it('says nothing that they refuse', async () => {
    const heard = (await converse(revision)).filter(
      ({ message, method }) => message['id'] !== null && !isAboutTasks(message, method),
    )
    expect(heard.length).toBeGreaterThan(60)
    expect(heard.flatMap(refusals)).toEqual([])
  })
})

it('together the revisions have all that the published schemas have', () => {
  const all = (list: (revision: (typeof REVISIONS)[number]) => readonly string[]) =>
    [...new Set(REVISIONS.flatMap(list))].sort()
  expect(all((one) => kept(one.requests))).toEqual([...constants('ClientRequest', 'method')].sort())
  expect(all((one) => [...one.questions, 'ping'])).toEqual([...constants('ServerRequest', 'method')].sort())
  expect(all((one) => one.contents)).toEqual([...constants('ContentBlock', 'type')].sort())
  expect(all((one) => one.capabilities)).toEqual([...shape('ServerCapabilities')].sort())
})

function isAboutTasks({ result, method }: JsonObject, asked: string | undefined): boolean {
  if (method === 'notifications/tasks/status' || (asked ?? '').startsWith('tasks/')) return true
  return isObject(result) && 'task' in result
}

function refusals({ message, method }: Heard): readonly unknown[] {
  if ('error' in message) return check('JSONRPCErrorResponse', message)
  if (!('result' in message)) {
    const union = 'id' in message ? 'ServerRequest' : 'ServerNotification'
    return check(union, message)
  }
  const { result } = message
  const inputs = isObject(result) ? result['inputRequests'] : undefined
  const questions = isObject(inputs) ? Object.values(inputs) : []
  const checks = questions.length > 0 ? [] : check(RESULTS[method ?? ''] ?? '', result)
  return [
    ...check('JSONRPCResultResponse', message),
    ...checks,
    ...questions.flatMap((question) => check('ServerRequest', identified(question))),
  ]
}

/** Core demands the id that URL elicitations had in one revision, and that the newest no longer knows. */
function identified(question: unknown): unknown {
  if (!isObject(question) || !isObject(question['params'])) return question
  const { params } = question
  return params['mode'] === 'url' ? { ...question, params: { elicitationId: 'any', ...params } } : question
}

function check(definition: string, value: unknown): readonly unknown[] {
  const { success, error } = schema(definition).safeParse(value)
  return success ? [] : [{ definition, value, error }]
}
