import { expect, it } from 'vitest'
import { readUrl } from './where.ts'

it.each(['http://127.0.0.1:18999999/mcp?token=hush', 'http://127.0.0.1:18999999/mcp#hush'])(
  'what an address asks for is not repeated where it is none: %s',
  (url) => {
    expect(() => readUrl(url)).toThrow('got "http://127.0.0.1:18999999/mcp…"')
  },
)
