// What a host does when a server asks: here the user always takes coffee with milk.
import { connect } from 'perigee/client'
import server from './server.ts'

for (const revision of ['2025-06-18', '2026-07-28']) {
  const client = await connect(server, {
    revision,
    answers: {
      'elicitation/create': ({ message }) => {
        console.log(`${revision} asks: ${message}`)
        const content = message === 'What will it be?' ? { drink: 'coffee' } : { milk: true }
        return { action: 'accept', content }
      },
    },
  })
  const { content } = await client.callTool('order')
  console.log(content)
  await client.close()
}
await server.close()
