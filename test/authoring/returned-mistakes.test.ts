import { describe, expect, it } from 'vitest'
import { createTestClient, defineServer } from '../../src/index.ts'

/** A server that offers what gives this, asked for it in all its ways; and what its log says. */
async function offering(given: unknown) {
  const logged: string[] = []
  const server = defineServer({
    name: 's',
    version: '1',
    tools: [{ name: 't', run: () => given }],
    resources: [{ uri: 'r://r', name: 'r', read: () => given }],
    prompts: [
      {
        name: 'p',
        arguments: [{ name: 'a' }],
        complete: { a: () => given as never },
        render: () => given as never,
      },
    ],
    observe: (event) => void (event.kind === 'crashed' && logged.push(String(event.error))),
  })
  const client = await createTestClient(server)
  const failed = (error: { readonly code: number }) => error.code
  return {
    logged,
    tool: () => client.callTool('t'),
    resource: () => client.read('r://r').catch(failed),
    prompt: () => client.request('prompts/get', { name: 'p' }).catch(failed),
    completion: () =>
      client
        .request('completion/complete', {
          ref: { type: 'ref/prompt', name: 'p' },
          argument: { name: 'a', value: '' },
        })
        .catch(failed),
  }
}

const block = (more: object) => ({ content: [{ type: 'text', text: 'x', ...more }] })
const inside = (resource: object) => ({ content: [{ type: 'resource', resource }] })

describe('of a tool', () => {
  it.each<[unknown, string]>([
    [
      { isError: 'yes', content: [] },
      'The tool t gave isError: expected true or false, got the string "yes"',
    ],
    [{ _meta: 'x', content: [] }, 'The tool t gave _meta: expected an object, got the string "x"'],
    [block({ annotations: { priority: '9' } }), 'content[0].annotations.priority: expected a number'],
    [block({ annotations: { audience: 'all' } }), 'content[0].annotations.audience: expected an array'],
    [block({ annotations: 'x' }), 'content[0].annotations: expected an object'],
    [block({ _meta: 5 }), 'content[0]._meta: expected an object'],
    [inside({ uri: 'a://b' }), 'content[0].resource: expected text or blob beside its uri, got neither'],
    [inside({ text: 'x' }), 'content[0].resource.uri: expected a string, got nothing'],
    [inside({ uri: 'a://b', text: 5 }), 'content[0].resource.text: expected a string, got the number 5'],
    [new Map([[1, 2]]), 'gave something of type Map'],
    [new Set([1]), 'gave something of type Set'],
    [new Response('x'), 'gave something of type Response'],
    [new Blob(['x']), 'gave something of type Blob'],
    [[1].values(), 'gave something of type Array Iterator'],
  ])('%j is told as the mistake that it is', async (given, said) => {
    const { tool, logged } = await offering(given)
    expect(await tool()).toMatchObject({ isError: true })
    expect(logged).toEqual([expect.stringContaining(said)])
  })

  it.each<unknown>([
    block({ annotations: { audience: ['user'], priority: 1, lastModified: '2026-01-01' }, _meta: {} }),
    inside({ uri: 'a://b', text: '' }),
    { content: [], isError: false, _meta: {} },
    new Date(0),
    new URL('a://b'),
    Object.create(null),
    new (class Nothing {})(),
  ])('%j is none', async (given) => {
    const { tool, logged } = await offering(given)
    expect(await tool()).toMatchObject({ isError: false })
    expect(logged).toEqual([])
  })
})

describe('of a resource', () => {
  it.each<[unknown, string]>([
    [{ contents: [{ uri: 'r://x', text: 5 }] }, 'The resource r://x gave contents.text: expected a string'],
    [
      { contents: [{ uri: 'r://x', blob: Buffer.from('x') }] },
      "contents.blob: expected a string, bytes.toString('base64')",
    ],
    [{ contents: [{ uri: 'r://x' }] }, 'contents: expected text or blob beside its uri, got neither'],
    [{ text: 5 }, 'The resource r://r gave contents.text: expected a string, got the number 5'],
    [new Map(), 'The resource r://r gave something of type Map'],
    [new ArrayBuffer(1), 'The resource r://r gave something of type ArrayBuffer'],
  ])('%j is told as the mistake that it is', async (given, said) => {
    const { resource, logged } = await offering(given)
    expect(await resource()).toBe(-32603)
    expect(logged).toEqual([expect.stringContaining(said)])
  })

  it.each<[unknown, object]>([
    [{ contents: [{ text: 'x' }] }, { uri: 'r://r', text: 'x' }],
    [{ contents: ['x'] }, { uri: 'r://r', text: 'x' }],
    [{ uri: 'a://b' }, { text: '{"uri":"a://b"}' }],
    [new Uint8Array([1]), { blob: 'AQ==' }],
  ])('%j is none', async (given, contents) => {
    const { resource } = await offering(given)
    expect(await resource()).toMatchObject({ contents: [contents] })
  })
})

describe('of a prompt and of what completes it', () => {
  it.each<[unknown, string]>([
    [{ description: 5, messages: [] }, 'The prompt p gave description: expected a string, got the number 5'],
    [{ _meta: 5, messages: [] }, 'The prompt p gave _meta: expected an object, got the number 5'],
  ])('%j is told as the mistake that it is', async (given, said) => {
    const { prompt, logged } = await offering(given)
    expect(await prompt()).toBe(-32603)
    expect(logged).toEqual([expect.stringContaining(said)])
  })

  it.each<[unknown, string]>([
    ['abc', 'The completer of a gave: expected an array, got the string "abc"'],
    [[1, 2], 'The completer of a gave[0]: expected a string, got the number 1'],
    [{ values: ['a'] }, 'The completer of a gave: expected an array, got an object'],
    [Promise.resolve('abc'), 'The completer of a gave: expected an array, got the string "abc"'],
  ])('suggestions %j are', async (given, said) => {
    const { completion, logged } = await offering(given)
    expect(await completion()).toBe(-32603)
    expect(logged).toEqual([expect.stringContaining(said)])
  })

  it('no suggestions are none', async () => {
    expect(await (await offering(undefined)).completion()).toMatchObject({ completion: { values: [] } })
  })
})
