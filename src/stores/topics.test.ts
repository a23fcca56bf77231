import { expect, it } from 'vitest'
import { SlowMotion } from '../../test/setup/slow-motion.ts'
import type { Json } from '../kernel/index.ts'
import { Topics } from './topics.ts'

/** An engine that remembers what it was asked for. */
function createTopics(join: () => Promise<unknown> = async () => {}) {
  const asked: string[] = []
  const topics = new Topics({
    join: (names) => {
      asked.push(`join ${names.join(' ')}`)
      return join()
    },
    part: async (name) => {
      asked.push(`part ${name}`)
      throw new Error('away')
    },
  })
  const heard: Json[] = []
  const listen = (name: string) =>
    topics.subscribe(name, {
      listener: (message) => heard.push(message),
      missed: () => heard.push(`missed ${name}`),
    })
  return { topics, asked, heard, listen }
}

it('asks the engine for a topic once, and leaves it with the last who listens', async () => {
  const { topics, asked, heard, listen } = createTopics()
  const [first, second] = [await listen('a'), await listen('a')]
  expect(asked).toEqual(['join a'])
  topics.tell('a', 1)
  topics.tell('b', 2)
  expect(heard).toEqual([1, 1])
  await first()
  await first()
  topics.tell('a', 3)
  expect(heard).toEqual([1, 1, 3])
  expect(asked).toEqual(['join a'])
  await second()
  await second()
  expect(asked).toEqual(['join a', 'part a'])
  await listen('a')
  expect(asked).toEqual(['join a', 'part a', 'join a'])
})

it('has nobody listen where the engine refuses, so that the next is asked for anew', async () => {
  let refuses = true
  const { topics, asked, heard, listen } = createTopics(async () => {
    if (refuses) throw new Error('refused')
  })
  await expect(listen('a')).rejects.toThrow('refused')
  topics.tell('a', 1)
  refuses = false
  await listen('a')
  topics.tell('a', 2)
  expect(heard).toEqual([2])
  expect(asked).toEqual(['join a', 'part a', 'join a'])
})

it('tells nobody whom another listener has made leave', async () => {
  const { topics, heard, listen } = createTopics()
  let leave = async () => {}
  await topics.subscribe('a', { listener: () => void leave(), missed: undefined })
  leave = await listen('a')
  topics.tell('a', 1)
  expect(heard).toEqual([])
})

it('hears JSON, and nothing else that somebody may say', async () => {
  const { topics, heard, listen } = createTopics()
  await listen('a')
  topics.hear('a', '{ no JSON')
  topics.hear('a', '{"x":1}')
  expect(heard).toEqual([{ x: 1 }])
})

it('tells of what was missed those who listen to it, and everybody after a gap', async () => {
  const { topics, asked, heard, listen } = createTopics()
  await topics.rejoin()
  expect(asked).toEqual([])
  await listen('a')
  await listen('b')
  topics.miss('a')
  topics.miss('c')
  expect(heard).toEqual(['missed a'])
  await topics.rejoin()
  expect(asked).toEqual(['join a', 'join b', 'join a b'])
  expect(heard).toEqual(['missed a', 'missed a', 'missed b'])
})

it('has forgotten everybody when it is cleared, and parts with nothing for those who leave after that', async () => {
  const { topics, asked, heard, listen } = createTopics()
  const leave = await listen('a')
  topics.clear()
  topics.tell('a', 1)
  await listen('a')
  await leave()
  topics.tell('a', 2)
  expect(heard).toEqual([2])
  expect(asked).toEqual(['join a', 'join a'])
})

it('waits for the engine whatever it is asked for', async () => {
  let refuses = false
  const channels: ConstructorParameters<typeof Topics>[0] = {
    join: async () => {
      if (refuses) throw new Error('refused')
    },
    part: async () => {},
  }
  const slow = new SlowMotion().slow(channels, ['join', 'part'])
  const topics = new Topics({ join: (names) => channels.join(names), part: (name) => channels.part(name) })
  const heard: string[] = []
  const subscriber = { listener: () => {}, missed: () => void heard.push('missed') }
  const leave = await topics.subscribe('a', subscriber)
  expect([slow.take(), slow.underWay]).toEqual([['join'], []])
  const rejoined = topics.rejoin()
  await Promise.resolve()
  expect(heard).toEqual([])
  await rejoined
  expect([slow.take(), heard]).toEqual([['join'], ['missed']])
  await leave()
  expect([slow.take(), slow.underWay]).toEqual([['part a'], []])
  refuses = true
  await expect(topics.subscribe('b', subscriber)).rejects.toThrow('refused')
  expect([slow.take(), slow.underWay]).toEqual([['join', 'part b'], []])
})
