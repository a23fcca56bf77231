import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject, REVISIONS } from '../../src/kernel/index.ts'
import { createEverything } from '../everything/everything.ts'
import { converse } from './conversation.ts'
import { contentTypes, judge } from './judge.ts'
import { type Heard, Recorder } from './recorder.ts'
import { needSpec } from './spec.ts'
import { methods } from './union.ts'

/** Notices that a schema has and this server does not send yet. */
const UNSENT: { readonly [revision: string]: readonly string[] } = {
  '2025-11-25': ['notifications/elicitation/complete'],
  // A subscription ends by its result: a client that is told of a cancellation first takes it for a lost one.
  '2026-07-28': ['notifications/cancelled'],
}

/** The schemas up to 2025-06-18 have no form for an error without an id; ours is JSON-RPC's own. */
const NO_ID = ['2024-11-05', '2025-03-26', '2025-06-18']

function isWithoutId({ message }: Heard): boolean {
  return 'error' in message && (message['id'] ?? null) === null
}

describe.each(REVISIONS)('what a server says in $id', (revision) => {
  it('fits the official schema', async (context) => {
    const spec = needSpec(context, revision.id)
    const heard = await converse(revision)
    const judged = NO_ID.includes(revision.id) ? heard.filter((one) => !isWithoutId(one)) : heard
    expect(judged.flatMap((one) => judge(spec, one))).toEqual([])
  })

  it('has no member that the schema does not name', async (context) => {
    const spec = needSpec(context, revision.id)
    const heard = (await converse(revision)).filter((one) => !isWithoutId(one))
    expect(heard.flatMap((one) => judge(spec, one, 'closed'))).toEqual([])
  })

  it('leaves none of the messages of the schema out', async (context) => {
    const spec = needSpec(context, revision.id)
    const heard = await converse(revision)
    const notices = heard.filter(({ message }) => 'method' in message && !('id' in message))
    const unsent = UNSENT[revision.id] ?? []
    expect(sorted([...notices.map(({ message }) => message['method']), ...unsent])).toEqual(
      sorted(methods(spec, 'ServerNotification').keys()),
    )
    expect(notices.filter(({ message }) => unsent.includes(String(message['method'])))).toEqual([])
    const answered = heard.filter(({ message }) => 'result' in message).map(({ method }) => method)
    expect(sorted(answered)).toEqual(sorted(revision.requests))
    expect(sorted(questionsIn(heard))).toEqual(sorted(revision.questions))
    expect(sorted(blocksIn(heard).map((block) => block['type']))).toEqual(sorted(contentTypes(spec)))
  })

  it('answers what has no readable id in the way of the revision', async () => {
    const unreadable = (await converse(revision)).filter(isWithoutId)
    expect(unreadable.length).toBeGreaterThan(5)
    const ids = new Set(unreadable.map(({ message }) => ('id' in message ? message['id'] : 'left out')))
    expect([...ids]).toEqual([NO_ID.includes(revision.id) ? null : 'left out'])
  })
})

it('an unreadable message before anything else is answered with the id null, as in JSON-RPC', () => {
  for (const revision of REVISIONS) {
    const client = new Recorder(createEverything(), revision, { capabilities: {}, answers: {} })
    client.sendText('{')
    client.close()
    expect(client.heard.map(({ message }) => message['id'])).toEqual([null])
  }
})

/** Questions are requests, or are part of a result. */
function questionsIn(heard: readonly Heard[]): readonly unknown[] {
  const asked = heard.flatMap(({ message: { id, method, result } }) => {
    if (id !== undefined && method !== undefined) return [method]
    const inputs = isObject(result) && isObject(result['inputRequests']) ? result['inputRequests'] : {}
    return Object.values(inputs).map((question) => (question as JsonObject)['method'])
  })
  return asked
}

function blocksIn(heard: readonly Heard[]): readonly JsonObject[] {
  return heard.flatMap(({ message: { result } }) => {
    const content = isObject(result) ? result['content'] : undefined
    return Array.isArray(content) ? content : []
  })
}

function sorted(values: Iterable<unknown>): readonly string[] {
  return [...new Set([...values].map(String))].sort()
}
