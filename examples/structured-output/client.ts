import { connect } from 'perigee/client'
import server from './server.ts'

for (const revision of ['2024-11-05', '2026-07-28']) {
  const client = await connect(server, { revision })
  const { content, structuredContent } = await client.callTool('forecast', { city: 'Oslo' })
  console.log(revision, 'text', JSON.stringify(content))
  console.log(revision, 'data', JSON.stringify(structuredContent))
  await client.close()
}
await server.close()
