import { expect, it } from 'vitest'
import { printGreeting } from './greeting.ts'

it('says what it is and how to plug it in', () => {
  expect(printGreeting('notes', ['node', '/home/ann/my notes/server.js'])).toBe(
    'notes speaks MCP on stdin and stdout, one JSON message a line; Ctrl-D ends it.\n' +
      "To use it from Claude Code: claude mcp add notes -- node '/home/ann/my notes/server.js'\n",
  )
  expect(printGreeting('My notes', ["it's"])).toContain(`claude mcp add NAME -- 'it'\\''s'\n`)
})
