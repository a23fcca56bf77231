// What a host does with it: it lists two tools, searches, and runs what its model has written.
import { type CallToolResult, connect } from 'perigee/client'
import server from './server.ts'

const client = await connect(server, {
  answers: {
    'elicitation/create': ({ message }) => {
      console.log(`  asked: ${message}`)
      return { action: 'accept', content: message.startsWith('How many') ? { count: 3 } : {} }
    },
  },
})

function show({ content }: CallToolResult): void {
  for (const block of content) if (block.type === 'text') console.log(block.text)
}

console.log((await client.tools()).map(({ name }) => name).join(', '))
show(await client.callTool('search', { query: 'what is in stock?', limit: 1 }))

// The cheapest that is left: the list itself never reaches the model, and the question stops the script until it is answered.
show(
  await client.callTool('run', {
    code: `
      const stock = await tools.list_stock()
      const [cheapest] = stock.filter(({ left }) => left > 0).sort((a, b) => a.price - b.price)
      return await tools.order({ name: cheapest.name })`,
  }),
)

// A tool that may destroy something asks first, whoever wrote the script.
show(await client.callTool('run', { code: `return await tools.empty_shelf({ name: 'white tea' })` }))

// What goes wrong says where, and what was done before.
show(await client.callTool('run', { code: `await tools.list_stock()\nawait tools.lst_stock()` }))

await client.close()
await server.close()
