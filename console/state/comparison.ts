import type { Client } from '../../src/client/client.ts'
import type { Target } from './calls.ts'
import { answersFrom } from './questions.ts'
import { select } from './selection.ts'
import { apiKey, CAPABILITIES, hello } from './session.ts'
import { Store } from './store.ts'
import { reach, type WireEntry } from './wires.ts'

/** The same call in one revision. */
export interface Conversation {
  readonly revision: string
  readonly state: 'waiting' | 'running' | 'done' | 'failed'
  readonly ms?: number
  readonly outcome?: unknown
  readonly wire: readonly WireEntry[]
}

export interface Comparison {
  readonly target: Target
  readonly conversations: readonly Conversation[]
}

export const comparison = new Store<Comparison | undefined>(undefined)

const MOST_ENTRIES = 200

/** Makes one call in every revision, to be looked at while they are made, one after the other: each is a client of its own, and browsers have few connections. */
export async function compareAll(target: Target): Promise<void> {
  const revisions = hello.value?.revisions ?? []
  const begun: Comparison = {
    target,
    conversations: revisions.map((revision) => ({ revision, state: 'waiting', wire: [] })),
  }
  comparison.set(begun)
  select({ kind: 'comparison', key: '' })
  for (const revision of [...revisions].reverse()) {
    if (comparison.value?.target !== target) return
    await converse(target, revision)
  }
}

function patch(target: Target, revision: string, change: (one: Conversation) => Partial<Conversation>): void {
  comparison.change((all) =>
    all?.target !== target
      ? all
      : {
          target,
          conversations: all.conversations.map((one) =>
            one.revision === revision ? { ...one, ...change(one) } : one,
          ),
        },
  )
}

async function converse(target: Target, revision: string): Promise<void> {
  const greeting = hello.value
  if (greeting === undefined) return
  patch(target, revision, () => ({ state: 'running' }))
  const tap = (entry: WireEntry) =>
    patch(target, revision, ({ wire }) => ({ wire: [...wire, entry].slice(-MOST_ENTRIES) }))
  const began = performance.now()
  let client: Client | undefined
  try {
    client = await reach(
      { hello: greeting, apiKey: apiKey.value, tap },
      { revision, answers: answersFrom(revision), capabilities: CAPABILITIES },
    )
    const outcome = await perform(client, target)
    patch(target, revision, () => ({ state: 'done', outcome, ms: performance.now() - began }))
  } catch (error) {
    const { message, code, data } = error as { message: string; code?: number; data?: unknown }
    patch(target, revision, () => ({
      state: 'failed',
      outcome: { error: { code, message, data } },
      ms: performance.now() - began,
    }))
  } finally {
    await client?.close().catch(() => {}) // It has answered, which is all that was wanted of it.
  }
}

function perform(client: Client, target: Target): Promise<unknown> {
  if (target.kind === 'resource') return client.read(target.name)
  return target.kind === 'prompt'
    ? client.prompt(target.name, target.args)
    : client.callTool(target.name, target.args)
}
