import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'
import { expect, it, onTestFinished, type TestContext } from 'vitest'
import type { Engine } from '../../scripts/engine.d.mts'
import { startPostgres } from '../../scripts/postgres.mjs'
import { startRedis } from '../../scripts/redis.mjs'
import type { KernelEvent } from '../../src/kernel/index.ts'
import { Host } from '../http/host.ts'
import { call, getStream, openSession } from '../http/messages.ts'
import { createSample } from '../http/sample.ts'
import { startEngine } from './engine.ts'
import { openFor } from './store.ts'

const ENGINES = {
  Redis: await startEngine('Redis', startRedis),
  PostgreSQL: await startEngine('PostgreSQL', startPostgres),
}

type Say = (topic: string, text: string) => Promise<unknown>

/** Somebody else who may use the engine, and speaks on our channels. */
const STRANGERS: { readonly [Name in keyof typeof ENGINES]: (url: string, prefix: string) => Promise<Say> } =
  {
    Redis: async (url, prefix) => {
      const client = new Redis(url)
      onTestFinished(() => client.disconnect())
      return (topic, text) => client.publish(prefix + topic, text)
    },
    PostgreSQL: async (url, prefix) => {
      const client = new pg.Client(url)
      await client.connect()
      onTestFinished(() => client.end())
      return (topic, text) => {
        const hash = createHash('sha256').update(prefix + topic)
        return client.query('SELECT pg_notify($1, $2)', [`perigee_${hash.digest('hex').slice(0, 40)}`, text])
      }
    },
  }

const TOPICS = ['nodes', 'changes', 'tasks', 'kept/templates']

/** On PostgreSQL a number comes before each message, and `#` before the id of a long one. */
const SAYINGS = ['', '1:', '2#no such id'].flatMap((before) =>
  [
    '',
    'no JSON',
    '{"from":',
    'null',
    '5',
    '"text"',
    '[null]',
    '{}',
    '{"from":7,"message":{"kind":"ended"}}',
    '{"from":"x","message":null}',
    '{"from":"x","message":{"kind":"changed"}}',
    '{"from":"x","message":{"kind":"nothing of ours"}}',
    '{"node":"x","changes":7}',
    '{"node":"x","changes":[null,7,"x",{"list":"tools"},{"list":"x","audiences":[]},{"list":"tools","audiences":[null]},{"task":{}},{"other":1}]}',
    '{"node":"x"}',
    '{"node":"x","record":null}',
    '{"toString":1}',
  ].map((text) => before + text),
)

it.for(Object.keys(ENGINES) as (keyof typeof ENGINES)[])(
  'whatever somebody else says on our channels of %s ends nothing, and we go on hearing each other',
  async (name, context) => {
    const engine: Engine = ENGINES[name](context as TestContext)
    const prefix = 'strangers:'
    const crashed: unknown[] = []
    const observe = (event: KernelEvent) => void (event.kind === 'crashed' && crashed.push(event.error))
    const start = async () => {
      const sample = createSample({ store: openFor(engine, prefix), secrets: ['a secret'], observe })
      const host = await Host.start({}, sample)
      onTestFinished(() => host[Symbol.asyncDispose]())
      return host
    }
    const [a, b] = [await start(), await start()]
    const session = await openSession(a)
    const standalone = await b.stream(getStream(session))
    const say = await STRANGERS[name](engine.url, prefix)
    for (let round = 0; round < 3; round++)
      for (const topic of TOPICS) for (const text of SAYINGS) await say(topic, text)
    a.sample.server.tools.add({ name: 'new', description: 'New', run: () => 'new' })
    expect((await standalone.next())?.method).toBe('notifications/tools/list_changed')
    expect((await a.send({ method: 'DELETE', headers: session })).status).toBe(204)
    await expect
      .poll(async () => (await b.send({ headers: session, body: call(1, 'echo') })).status, {
        timeout: 10_000,
      })
      .toBe(404)
    expect(crashed).toEqual([])
  },
)
