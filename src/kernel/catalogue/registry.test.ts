import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../jsonrpc/message.ts'
import { NEWEST } from '../revisions/index.ts'
import { Registry } from './registry.ts'
import type { Offer } from './shelf.ts'

function createRegistry(noun = 'tool', pageSize = 2) {
  let changes = 0
  const registry = new Registry<string, Offer>({
    noun,
    pageSize,
    prepare: (name) => ({ key: name, listed: { name }, scopes: name.startsWith('secret') ? ['admin'] : [] }),
    fit: (listed) => listed,
    changed: () => changes++,
  })
  return { registry, changes: () => changes }
}

const names = (items: readonly JsonObject[]) => items.map(({ name }) => name)

it('lists in the order of adding, in pages', () => {
  const { registry } = createRegistry()
  for (const name of ['c', 'a', 'b']) registry.add(name)
  const first = registry.page({ revision: NEWEST, cursor: undefined })
  const second = registry.page({ revision: NEWEST, cursor: first.nextCursor })
  expect(names(first.items)).toEqual(['c', 'a'])
  expect(names(second.items)).toEqual(['b'])
  expect(second.nextCursor).toBe(undefined)
})

it('has no next page when the last one is just full, and one empty page when it is empty', () => {
  const { registry } = createRegistry()
  expect(registry.page({ revision: NEWEST, cursor: undefined })).toEqual({ items: [], nextCursor: undefined })
  registry.add('a')
  registry.add('b')
  expect(registry.page({ revision: NEWEST, cursor: undefined }).nextCursor).toBe(undefined)
})

it('skips nothing and repeats nothing while things come and go', () => {
  const { registry } = createRegistry()
  for (const name of ['a', 'b', 'c', 'd']) registry.add(name)
  const { nextCursor } = registry.page({ revision: NEWEST, cursor: undefined })
  registry.remove('a')
  registry.remove('b')
  registry.add('e')
  expect(names(registry.page({ revision: NEWEST, cursor: nextCursor }).items)).toEqual(['c', 'd'])
  registry.remove('c')
  registry.remove('d')
  registry.remove('e')
  expect(names(registry.page({ revision: NEWEST, cursor: nextCursor }).items)).toEqual([])
})

it('puts what was removed and added again at the end', () => {
  const { registry } = createRegistry('tool', 10)
  for (const name of ['a', 'b']) registry.add(name)
  registry.remove('a')
  registry.add('a')
  expect(names(registry.page({ revision: NEWEST, cursor: undefined }).items)).toEqual(['b', 'a'])
})

it('refuses cursors of other lists, and what is no cursor at all', () => {
  const tools = createRegistry('tool').registry
  const prompts = createRegistry('prompt').registry
  for (const name of ['a', 'b', 'c']) {
    tools.add(name)
    prompts.add(name)
  }
  const { nextCursor } = tools.page({ revision: NEWEST, cursor: undefined })
  for (const cursor of [
    nextCursor,
    '',
    'x',
    '!!!',
    btoa('prompt:'),
    btoa('prompt:-1'),
    btoa('prompt:1e3'),
    '\u{1F600}',
  ]) {
    expect(() => prompts.page({ revision: NEWEST, cursor: cursor ?? '' })).toThrow(
      'expected a nextCursor of this list',
    )
  }
})

it('refuses a name that is taken, and says so', () => {
  const { registry, changes } = createRegistry()
  registry.add('a')
  expect(() => registry.add('a')).toThrow('There is a tool "a" already')
  expect(registry.size).toBe(1)
  expect(changes()).toBe(1)
})

it('tells of every change, and of nothing else', () => {
  const { registry, changes } = createRegistry()
  registry.add('a')
  expect(registry.remove('a')).toBe(true)
  expect(registry.remove('a')).toBe(false)
  expect(changes()).toBe(2)
})

it('finds by own names only', () => {
  const { registry } = createRegistry()
  expect(registry.find('__proto__')).toBe(undefined)
  expect(registry.has('constructor')).toBe(false)
  registry.add('__proto__')
  expect(registry.find('__proto__')).toMatchObject({ key: '__proto__' })
  expect([...registry].map(({ key }) => key)).toEqual(['__proto__'])
})

it('lists to a caller what it may use', () => {
  const { registry } = createRegistry('tool', 10)
  for (const name of ['open', 'secret']) registry.add(name)
  const listed = (scopes?: readonly string[]) =>
    names(
      registry.page({
        revision: NEWEST,
        cursor: undefined,
        principal: { id: 'p', ...(scopes && { scopes }) },
      }).items,
    )
  expect(listed()).toEqual(['open', 'secret'])
  expect(listed([])).toEqual(['open'])
  expect(listed(['admin'])).toEqual(['open', 'secret'])
})

describe('what has an owner', () => {
  const listed = (registry: ReturnType<typeof createRegistry>['registry'], id?: string) =>
    names(
      registry.page({ revision: NEWEST, cursor: undefined, ...(id !== undefined && { principal: { id } }) })
        .items,
    )

  it('is found and listed for its owner alone, in the order of adding', () => {
    const { registry } = createRegistry('tool', 10)
    registry.add('a')
    registry.add('b', 'ann')
    registry.add('c')
    expect(registry.find('b', 'ann')).toMatchObject({ key: 'b' })
    for (const owner of ['bob', '', undefined]) expect(registry.find('b', owner)).toBe(undefined)
    expect(listed(registry, 'ann')).toEqual(['a', 'b', 'c'])
    for (const id of ['bob', undefined]) expect(listed(registry, id)).toEqual(['a', 'c'])
    expect([...registry.of('ann')].map(({ key }) => key)).toEqual(['a', 'c', 'b'])
    expect(registry.size).toBe(3)
    expect(registry.divided).toBe(true)
  })

  it('stays when its owner adds more', () => {
    const { registry } = createRegistry('tool', 10)
    for (const name of ['a', 'b']) registry.add(name, 'ann')
    expect(listed(registry, 'ann')).toEqual(['a', 'b'])
  })

  it('belongs to everybody without a name where its owner has none', () => {
    const { registry } = createRegistry('tool', 10)
    registry.add('a', '')
    const anonymous = { id: 'anonymous', anonymous: true } as const
    for (const principal of [undefined, anonymous]) {
      expect(names(registry.page({ revision: NEWEST, cursor: undefined, principal }).items)).toEqual(['a'])
    }
    expect(listed(registry, 'anonymous')).toEqual([])
  })

  it('may have the name of what another owns, and not one of everybody’s', () => {
    const { registry } = createRegistry('tool', 10)
    registry.add('everybodys')
    registry.add('a', 'ann')
    registry.add('a', 'bob')
    expect(() => registry.add('a', 'ann')).toThrow('There is a tool "a" already')
    expect(() => registry.add('everybodys', 'ann')).toThrow('There is a tool "everybodys" already')
  })

  it('gives way to what everybody gets later by its name, and comes back after it', () => {
    const { registry } = createRegistry('tool', 10)
    registry.add('a', 'ann')
    const own = registry.find('a', 'ann')
    registry.add('a')
    expect(registry.find('a', 'ann')).not.toBe(own)
    expect(listed(registry, 'ann')).toEqual(['a'])
    expect([...registry.of('ann')]).toHaveLength(1)
    registry.remove('a')
    expect(registry.find('a', 'ann')).toBe(own)
  })

  it('is removed for its owner alone, and leaves nothing behind', () => {
    const { registry, changes } = createRegistry('tool', 10)
    registry.add('a', 'ann')
    registry.add('b')
    expect(registry.remove('a')).toBe(false)
    expect(registry.remove('a', 'bob')).toBe(false)
    expect(registry.remove('b', 'ann')).toBe(false)
    expect(registry.remove('a', 'ann')).toBe(true)
    expect(registry.size).toBe(1)
    expect(registry.divided).toBe(false)
    expect(changes()).toBe(3)
  })
})
