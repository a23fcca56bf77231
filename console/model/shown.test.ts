import { describe, expect, it } from 'vitest'
import { weightOf } from './shown.ts'

describe('what a result weighs', () => {
  const content = [{ type: 'text', text: 'Hello, you!' }]

  it('is its words, whatever the protocol says beside them', () => {
    const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'a name', version: '1.0.0' } }
    expect(weightOf({ content })).toBe(4)
    expect(weightOf({ content, isError: false, resultType: 'complete', _meta })).toBe(4)
  })

  it('is its data as well, but no picture', () => {
    expect(weightOf({ content, structuredContent: { said: 'Hello, you!' } })).toBe(11)
    const picture = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(100_000) }
    expect(weightOf({ content: [picture] })).toBeLessThan(10)
  })

  it('is all that a resource or a prompt gives', () => {
    const contents = [{ uri: 'note://1', text: 'x'.repeat(3600) }]
    expect(weightOf({ contents })).toBeGreaterThan(1000)
  })
})
