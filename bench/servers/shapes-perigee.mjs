// The shapes of results as a server of Perigee's gives them: data alone is returned, the rest is as it stands there.
import { defineServer, defineTool, serveStdio } from '../../dist/index.js'
import { SHAPES } from './shapes.mjs'

const tools = SHAPES.map(({ name, what, typed, result }) =>
  defineTool({
    name,
    description: `Gives ${what}.`,
    ...(typed && { output: { type: 'object', properties: {} } }),
    run: () => (result.content.length === 0 ? result.structuredContent : result),
  }),
)

await serveStdio(defineServer({ name: 'shapes', version: '1.0.0', budget: { tokens: 20_000 }, tools }))
