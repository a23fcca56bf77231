import { createFetchHandler, defineServer } from '../../dist/worker.js'
import { schemaTools } from './schema-tools.mjs'

const server = defineServer({ name: 'sample', version: '1.0.0', tools: schemaTools })

export default { fetch: createFetchHandler(server) }
