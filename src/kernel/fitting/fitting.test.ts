import { describe, expect, it } from 'vitest'
import type { ContentBlock } from '../definitions/content.ts'
import { findRevision, NEWEST, REVISIONS } from '../revisions/index.ts'
import type { Revision } from '../revisions/revision.ts'
import { fitBlock, fitContents } from './content.ts'
import { fitAnnotated, fitFields, omit } from './fields.ts'
import { finish } from './finish.ts'
import { fitPrompt, fitResource, fitTemplate, fitTool } from './listing.ts'
import { fitsOutputSchema, fitsStructured } from './structured.ts'

const [oldest, second, third, fourth, newest] = REVISIONS as [
  Revision,
  Revision,
  Revision,
  Revision,
  Revision,
]

describe('fields', () => {
  it('are left out where a revision has no word for them', () => {
    const tool = {
      name: 't',
      title: 'T',
      description: 'd',
      inputSchema: {},
      annotations: {},
      icons: [],
      _meta: {},
    }
    expect(Object.keys(fitTool(tool, oldest))).toEqual(['name', 'description', 'inputSchema'])
    expect(Object.keys(fitTool(tool, second))).toEqual(['name', 'description', 'inputSchema', 'annotations'])
    expect(Object.keys(fitTool(tool, third))).not.toContain('icons')
    expect(fitTool(tool, fourth)).toBe(tool)
    expect(fitTool(tool, newest)).toBe(tool)
  })

  it('that nobody knows are not touched', () => {
    const value = { name: 'n', vendor: 1 }
    expect(fitFields('tool', value, oldest)).toBe(value)
  })

  it('of annotations are fitted too', () => {
    const resource = { uri: 'x://', name: 'x', annotations: { priority: 1, lastModified: 'now' } }
    expect(fitResource(resource, oldest)).toEqual({ uri: 'x://', name: 'x', annotations: { priority: 1 } })
    expect(fitResource(resource, third)).toBe(resource)
    expect(fitTemplate({ uriTemplate: 'x://{a}', name: 'x', title: 'X' }, oldest)).toEqual({
      uriTemplate: 'x://{a}',
      name: 'x',
    })
    expect(fitAnnotated('resource', { name: 'x' }, oldest)).toEqual({ name: 'x' })
  })

  it('of a prompt and its arguments are fitted', () => {
    const prompt = { name: 'p', title: 'P', arguments: [{ name: 'a', title: 'A', required: true }] }
    expect(fitPrompt(prompt, oldest)).toEqual({ name: 'p', arguments: [{ name: 'a', required: true }] })
    expect(fitPrompt({ name: 'p' }, oldest)).toEqual({ name: 'p' })
  })

  it('can be left out by name', () => {
    expect(omit({ a: 1, b: 2 }, ['a', 'c'])).toEqual({ b: 2 })
  })
})

describe('content', () => {
  const link: ContentBlock = { type: 'resource_link', uri: 'x://1', name: 'one', title: 'One' }
  const audio: ContentBlock = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }

  it('that is plain text is the same everywhere', () => {
    const text: ContentBlock = { type: 'text', text: 'hi' }
    for (const revision of REVISIONS) expect(fitBlock(text, revision)).toBe(text)
  })

  it('becomes text where there are no resource links', () => {
    expect(fitBlock(link, oldest)).toEqual({ type: 'text', text: 'One: x://1' })
    expect(fitBlock(link, second)).toEqual({ type: 'text', text: 'One: x://1' })
    expect(fitBlock({ ...link, title: undefined } as unknown as ContentBlock, second)).toMatchObject({
      text: 'one: x://1',
    })
    expect(fitBlock(link, third)).toMatchObject({ type: 'resource_link' })
  })

  it('becomes an embedded resource where there is no audio', () => {
    expect(fitBlock(audio, oldest)).toMatchObject({
      type: 'resource',
      resource: { mimeType: 'audio/wav', blob: 'AAAA' },
    })
    expect(fitBlock(audio, second)).toEqual(audio)
  })

  it('loses _meta and newer annotations in old revisions, inside a resource too', () => {
    const block: ContentBlock = {
      type: 'resource',
      resource: { uri: 'x://', text: 't', _meta: { a: 1 } },
      annotations: { priority: 1, lastModified: 'now' },
      _meta: { b: 1 },
    }
    expect(fitBlock(block, oldest)).toEqual({
      type: 'resource',
      resource: { uri: 'x://', text: 't' },
      annotations: { priority: 1 },
    })
    expect(fitBlock(block, newest)).toEqual(block)
    expect(fitContents({ uri: 'x://', text: 't', _meta: {} }, oldest)).toEqual({ uri: 'x://', text: 't' })
  })

  it('of a kind that nobody knows is left alone', () => {
    const odd = { type: 'hologram', data: 1 } as unknown as ContentBlock
    expect(fitBlock(odd, oldest)).toEqual(odd)
  })
})

describe('structured content', () => {
  it('is nothing, an object or anything', () => {
    const carried = (revision: Revision) => [{}, [], 1, null].map((value) => fitsStructured(value, revision))
    expect(carried(oldest)).toEqual([false, false, false, false])
    expect(carried(third)).toEqual([true, false, false, false])
    expect(carried(newest)).toEqual([true, true, true, true])
  })

  it('has a schema that is listed only where its content can be sent', () => {
    expect(fitsOutputSchema({ type: 'object' }, third)).toBe(true)
    expect(fitsOutputSchema({ type: 'array' }, third)).toBe(false)
    expect(fitsOutputSchema({ type: 'array' }, newest)).toBe(true)
    const tool = { name: 't', inputSchema: {}, outputSchema: { type: 'array' } }
    expect(fitTool(tool, third)).toEqual({ name: 't', inputSchema: {} })
    expect(fitTool(tool, newest)).toBe(tool)
  })
})

describe('a finished result', () => {
  const server = { name: 's', version: '1' }
  const info = 'io.modelcontextprotocol/serverInfo'

  it('is stamped in the newest revision', () => {
    expect(finish({ a: 1 }, NEWEST, server)).toEqual({
      resultType: 'complete',
      a: 1,
      _meta: { [info]: server },
    })
    expect(finish({ resultType: 'input_required' }, NEWEST, server)).toMatchObject({
      resultType: 'input_required',
    })
    expect(finish({ _meta: { mine: 1 } }, NEWEST, server)).toMatchObject({
      _meta: { mine: 1, [info]: server },
    })
  })

  it('is bare before', () => {
    const result = { a: 1 }
    expect(finish(result, oldest, server)).toBe(result)
    expect(finish({ a: 1, ttlMs: 5, cacheScope: 'public' }, fourth, server)).toEqual({ a: 1 })
  })
})

it('finds revisions by their id', () => {
  expect(findRevision(oldest.id)).toBe(oldest)
  expect(findRevision('1999-01-01')).toBe(undefined)
  expect(findRevision('__proto__')).toBe(undefined)
})
