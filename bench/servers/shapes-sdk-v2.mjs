// The shapes of results as a server of the official SDK gives them.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { SHAPES } from './shapes.mjs'

serveStdio(() => {
  const server = new McpServer({ name: 'shapes', version: '1.0.0' })
  for (const { name, what, typed, result } of SHAPES)
    server.registerTool(
      name,
      { description: `Gives ${what}.`, ...(typed && { outputSchema: z.looseObject({}) }) },
      () => result,
    )
  return server
})
