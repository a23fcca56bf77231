import { expect, it } from 'vitest'
import { SlowMotion } from '../../test/setup/slow-motion.ts'
import type { Row, Value } from '../databases/database.ts'
import type { Json } from '../kernel/index.ts'
import { SQL } from './postgres-schema.ts'
import { PostgresTopics } from './postgres-topics.ts'

/** What LISTEN, NOTIFY and the table of long messages do, as far as it is asked of them here. */
function createTopics({ deaf = false } = {}) {
  const channels = new Set<string>()
  const kept = new Map<string, string>()
  const sent: string[] = []
  const asked: string[] = []
  let fetched: Promise<void> | undefined
  const options = {
    prefix: 'p:',
    listen: async (names: readonly string[]) => {
      asked.push(`listen ${names.length}`)
      for (const name of names) channels.add(name)
    },
    unlisten: async (name: string) => void channels.delete(name),
    query: async (sql: string, values: readonly Value[]): Promise<readonly Row[]> => {
      if (sql === SQL.message) {
        await fetched
        const value = kept.get(String(values[0]))
        return value === undefined ? [] : [{ value }]
      }
      asked.push(sql === SQL.publish ? 'publish' : 'publish long')
      if (values.length > 1) for (const [id, text] of JSON.parse(String(values[1]))) kept.set(id, text)
      for (const [channel, payload] of JSON.parse(String(values[0]))) {
        sent.push(payload)
        if (channels.has(channel) && !deaf) topics.hear(channel, payload)
      }
      return []
    },
  }
  const topics: PostgresTopics = new PostgresTopics({
    prefix: options.prefix,
    listen: (names) => options.listen(names),
    unlisten: (name) => options.unlisten(name),
    query: (sql, values) => options.query(sql, values),
  })
  const heard: Json[] = []
  const listen = (topic: string) =>
    topics.subscribe(topic, {
      listener: (message) => heard.push(message),
      missed: () => heard.push('missed'),
    })
  const hold = () => {
    let goOn = () => {}
    fetched = new Promise((resolve) => {
      goOn = resolve
    })
    return goOn
  }
  return { topics, options, channels, kept, sent, asked, heard, listen, hold }
}

const settle = () => new Promise(setImmediate)

it('brings messages to those who listen to their topic, those that come at once in one step', async () => {
  const { topics, channels, sent, asked, heard, listen } = createTopics()
  const leave = await listen('a')
  expect([...channels]).toEqual([expect.stringMatching(/^perigee_[\da-f]{40}$/)])
  await Promise.all([topics.publish('a', 1), topics.publish('b', 2), topics.publish('a', 1)])
  expect(heard).toEqual([1, 1])
  expect(asked).toEqual(['listen 1', 'publish'])
  expect(sent).toEqual(['1:1', '2:2', '3:1'])
  await leave()
  expect(channels.size).toBe(0)
})

it('puts down what is too long for a notice, and fetches it; what comes after it waits', async () => {
  const { topics, asked, heard, listen, hold } = createTopics()
  await listen('a')
  const goOn = hold()
  const long = 'x'.repeat(9000)
  await Promise.all([topics.publish('a', long), topics.publish('a', 'short')])
  await settle()
  expect(heard).toEqual([])
  goOn()
  await settle()
  expect(heard).toEqual([long, 'short'])
  expect(asked).toEqual(['listen 1', 'publish long'])
  await topics.publish('a', 'at once')
  expect(heard.at(-1)).toBe('at once')
})

it('has what comes wait also for the second of two that are fetched', async () => {
  const { topics, heard, listen, hold } = createTopics()
  await listen('a')
  const [one, two] = ['x'.repeat(9000), 'y'.repeat(9000)]
  const giveFirst = hold()
  await Promise.all([topics.publish('a', one), topics.publish('a', two)])
  await settle()
  const giveSecond = hold()
  giveFirst()
  await settle()
  await topics.publish('a', 'short')
  await settle()
  expect(heard).toEqual([one])
  giveSecond()
  await settle()
  expect(heard).toEqual([one, two, 'short'])
})

it.each([
  ['x'.repeat(7900 - 5), 'publish'],
  ['x'.repeat(7900 - 4), 'publish long'],
  ['€'.repeat(2631), 'publish'],
  ['€'.repeat(2632), 'publish long'],
])('sends less than 7,900 bytes by themselves: %#', async (text, how) => {
  const { topics, asked } = createTopics()
  await topics.publish('a', text)
  expect(asked).toEqual([how])
})

it('tells those who listen that they have missed what is not there any more, and goes on', async () => {
  const { topics, channels, heard, listen } = createTopics()
  await listen('a')
  const [channel = ''] = channels
  topics.hear(channel, '7#gone')
  topics.hear(channel, '8:"after"')
  topics.hear(channel, ':"without a number"')
  topics.hear(channel, 'no JSON')
  await settle()
  expect(heard).toEqual(['missed', 'after', 'without a number'])
})

it('listens again after a gap, and tells of it', async () => {
  const { topics, asked, heard, listen } = createTopics()
  await listen('a')
  topics.rejoin()
  await settle()
  expect([asked, heard]).toEqual([['listen 1', 'listen 1'], ['missed']])
  topics.clear()
  await topics.publish('a', 1)
  expect(heard).toEqual(['missed'])
})

it('knows whether it hears what it says', async () => {
  const { topics, channels } = createTopics()
  expect(await topics.canHear()).toBe(true)
  expect(channels.size).toBe(0)
})

it('knows so when it listens no more, and says why it cannot know', async () => {
  const { topics, options } = createTopics()
  const slow = new SlowMotion().slow(options, ['listen', 'unlisten', 'query'])
  expect(await topics.canHear()).toBe(true)
  expect([slow.take().length, slow.underWay]).toEqual([3, []])
  options.query = () => Promise.reject(new Error('away'))
  await expect(topics.canHear()).rejects.toThrow('away')
})

it('says that a message is published when it is, be it long or short', async () => {
  const { topics, options } = createTopics()
  const slow = new SlowMotion().slow(options, ['query'])
  for (const message of ['short', 'x'.repeat(9000)]) {
    await topics.publish('a', message)
    expect([slow.take().length, slow.underWay]).toEqual([1, []])
  }
  options.query = () => Promise.reject(new Error('away'))
  for (const message of ['short', 'x'.repeat(9000)])
    await expect(topics.publish('a', message)).rejects.toThrow('away')
})
