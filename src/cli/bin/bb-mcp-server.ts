#!/usr/bin/env node
import { bbMcpServer } from '../../servers/bb-mcp-server.ts'
import { serveModules } from '../commands/serve-modules.ts'
import { run } from '../run.ts'

await run('bb-mcp-server', () => serveModules(bbMcpServer, process.argv.slice(2)))
