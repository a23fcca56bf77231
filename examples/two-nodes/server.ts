import { defineServer, defineTool } from 'perigee'

const where = defineTool({
  name: 'where',
  description: 'Which node answers',
  run: () => process.env['NODE_NAME'] ?? 'a node without a name',
})

export default defineServer({ name: 'spread', version: '1.0.0', tools: [where] })
