#!/usr/bin/env node
import { ccmcp } from '../../servers/ccmcp.ts'
import { serve } from '../commands/serve.ts'
import { run } from '../run.ts'

await run('ccmcp', () => serve(ccmcp, process.argv.slice(2)))
