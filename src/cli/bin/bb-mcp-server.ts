#!/usr/bin/env node
import { bbMcpServer } from '../../servers/bb-mcp-server.ts'
import { serve } from '../commands/serve.ts'
import { run } from '../run.ts'

await run('bb-mcp-server', () => serve(bbMcpServer, process.argv.slice(2)))
