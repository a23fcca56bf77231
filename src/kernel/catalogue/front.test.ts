import { describe, expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import type { Principal } from '../callers/principal.ts'
import type { Request } from '../jsonrpc/message.ts'
import { hasTasks } from '../tasks/offered.ts'
import { ToolFront } from './front.ts'

const tool = (name: string, more: object = {}) => ({ name, run: () => '', ...more })

/** What stands before some tools, of which one asks for a scope. */
function stand(upTo = 0, names: readonly string[] = ['add']) {
  const tools = [...names.map((name) => tool(name)), tool('guarded', { scopes: ['money'] })]
  const server = defineServer({ name: 's', version: '1', tools })
  const searches = (info: { readonly name: string } | undefined) => info?.name === 'searcher'
  const options = { tools: [tool('search'), tool('call')], upTo, searches }
  return { server, front: new ToolFront(options, server.tools, server.platform.validator) }
}

const viewer = (name = 'client', principal?: Principal) => ({
  peer: { info: { name, version: '1' } } as never, // As far as it is read here.
  principal,
})

const request = (name: string, args: unknown, method = 'tools/call'): Request => ({
  kind: 'request',
  id: 1,
  method,
  params: { name, arguments: args, task: {}, _meta: { a: 1 } },
  length: 0,
})

describe('a call of call', () => {
  it.each([
    [{ name: 'add', arguments: { a: 1 } }, 'add', { a: 1 }],
    [{ name: 'add' }, 'add', {}],
    [{ name: 'unknown' }, 'unknown', {}],
  ])('with %j is one of %s', (args, name, given) => {
    const { front } = stand()
    const redirected = front.redirect(request('call', args), viewer())
    expect(redirected).toMatchObject({ front: 'through', id: 1 })
    expect(redirected.params).toEqual({ name, arguments: given, _meta: { a: 1 } })
  })

  it.each([undefined, 'add', {}, { name: 5 }, { name: 'add', arguments: 5 }, { name: 'add', more: 1 }])(
    'with %j is for call itself to refuse',
    (args) => {
      const asked = request('call', args)
      expect(stand().front.redirect(asked, viewer())).toEqual({ ...asked, front: 'own' })
    },
  )

  it('of what its caller may not see is for call itself to refuse', () => {
    const { front } = stand()
    const asked = request('call', { name: 'guarded' })
    const as = (scopes: readonly string[]) =>
      front.redirect(asked, viewer('client', { id: 'ann', scopes })).front
    expect([as([]), as(['money'])]).toEqual(['own', 'through'])
  })
})

it('leaves everything alone that is no call of what stands there', () => {
  const { front } = stand()
  for (const asked of [request('call', { name: 'add' }, 'prompts/get'), request('add', {}), request('', {})])
    expect(front.redirect(asked, viewer())).toBe(asked)
  expect(front.redirect(request('search', {}), viewer()).front).toBe('own')
})

it('leaves a name to the tool that has it where the tools are shown, and nobody else’s', () => {
  const own = stand(1_000_000, ['search']).front
  expect(own.redirect(request('search', {}), viewer()).front).toBeUndefined()
  expect(own.redirect(request('call', { name: 'search' }), viewer()).front).toBe('through')
  expect(stand(0, ['search']).front.redirect(request('search', {}), viewer()).front).toBe('own')
})

it('stands before more than a client is to be shown, unless it searches itself', () => {
  const { server } = stand()
  const listed = [...server.tools].filter(({ scopes }) => scopes.length === 0).map((one) => one.listed)
  const tokens = listed.reduce((sum, one) => sum + JSON.stringify(one).length / 3.6, 0)
  const ann = { id: 'ann', scopes: [] }
  const before = (upTo: number, name?: string, principal?: Principal) =>
    stand(upTo).front.isBefore(viewer(name, principal))
  expect([before(0), before(tokens), before(1_000_000)]).toEqual([true, true, false])
  expect([before(tokens, 'searcher'), before(0, 'searcher')]).toEqual([false, true])
  expect([before(tokens, 'client', ann), before(tokens - 1, 'client', ann)]).toEqual([false, true])
  expect([stand(0).front.depends, stand(1).front.depends]).toEqual([false, true])
})

it('has tasks where one of those that stand there may become one', () => {
  const { server } = stand()
  const { validator } = server.platform
  const standing = (task: object) =>
    new ToolFront({ tools: [tool('run', task)], upTo: 0, searches: () => false }, server.tools, validator)
  const may = (task: object) => hasTasks({ hadTasks: () => false, tools: [], front: standing(task) })
  expect([may({}), may({ task: 'optional' })]).toEqual([false, true])
})

it('tells whether a client sees a change, by what it was shown before and is shown now', () => {
  const { server, front } = stand(60)
  const sees = front.watch(viewer())
  const [hidden, shown] = [
    { owner: undefined, scopes: [], hidden: true },
    { owner: undefined, scopes: [] },
  ]
  expect(front.isBefore(viewer())).toBe(false)
  expect(sees([hidden])).toBe(true)
  for (const name of ['b', 'c', 'd']) server.tools.add(tool(name))
  expect(front.isBefore(viewer())).toBe(true)
  expect([sees([hidden]), sees([hidden]), sees([hidden, shown])]).toEqual([true, false, true])
  for (const name of ['b', 'c', 'd']) server.tools.remove(name)
  expect(sees([hidden])).toBe(true)
})
