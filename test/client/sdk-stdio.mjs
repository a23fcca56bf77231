import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createSdkServer } from './sdk-sample.mjs'

await createSdkServer().connect(new StdioServerTransport())
