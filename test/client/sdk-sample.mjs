// A server of the official SDK, with one of everything.
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

export function createSdkServer() {
  const server = new McpServer(
    { name: 'sdk', version: '1.0.0' },
    {
      instructions: 'Ask it anything.',
      capabilities: {
        logging: {},
        resources: { subscribe: true, listChanged: true },
        tools: { listChanged: true },
      },
    },
  )
  const text = (said) => ({ content: [{ type: 'text', text: said }] })
  let cancelled = 0
  server.registerTool('greet', { inputSchema: { name: z.string() } }, ({ name }) => text(`Hello, ${name}!`))
  server.registerTool('sum', { outputSchema: { sum: z.number() } }, () => ({
    ...text('{"sum":42}'),
    structuredContent: { sum: 42 },
  }))
  server.registerTool('steps', {}, async ({ _meta, sendNotification }) => {
    for (const progress of [1, 2, 3]) {
      const params = { progressToken: _meta.progressToken, progress, total: 3 }
      await sendNotification({ method: 'notifications/progress', params })
    }
    return text('done')
  })
  server.registerTool('wait', {}, ({ signal, _meta, sendNotification }) => {
    signal.addEventListener('abort', () => cancelled++)
    if (_meta?.progressToken !== undefined)
      void sendNotification({
        method: 'notifications/progress',
        params: { progressToken: _meta.progressToken, progress: 1 },
      })
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(text('stopped'))))
  })
  server.registerTool('cancelled', {}, () => text(String(cancelled)))
  server.registerTool('interview', {}, async () => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
    const { content } = await server.server.elicitInput({ message: 'Who are you?', requestedSchema })
    const { roots } = await server.server.listRoots()
    return text(`${content.name} in ${roots[0].uri}`)
  })
  server.registerTool('grow', {}, () => {
    server.registerTool('grown', {}, () => text('new here'))
    return text('grown')
  })
  server.registerTool('hang_up', {}, async ({ closeSSEStream }) => {
    closeSSEStream?.()
    await new Promise((resolve) => setTimeout(resolve, 50))
    return text('still here')
  })
  server.registerResource('memo', 'memo://text', {}, (uri) => ({
    contents: [{ uri: uri.href, text: 'a memo' }],
  }))
  const note = new ResourceTemplate('note://{name}', { list: undefined })
  server.registerResource('note', note, {}, (uri, { name }) => ({
    contents: [{ uri: uri.href, text: `note of ${name}` }],
  }))
  server.registerPrompt('poem', { argsSchema: { about: z.string() } }, ({ about }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Write a poem about ${about}` } }],
  }))
  return server
}
