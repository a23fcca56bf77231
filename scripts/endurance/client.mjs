// A client that is there to be killed: it calls, says so, and waits for what is never answered.
import { connect } from '../../dist/client/index.js'

const [, , url, revision] = process.argv
const client = await connect(url, { revision })
const { content } = await client.callTool('pids')
const onProgress = () => process.stdout.write(`${content[0].text}\n`)
await client.callTool('wait', {}, { onProgress })
