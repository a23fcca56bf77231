// Connects, says which revision is spoken, and ends by itself.
import { connect } from '../../dist/client/index.js'

const client = await connect(process.argv[2])
console.log(client.revision.id)
await client.close()
