#!/usr/bin/env node
import { primer } from '../../servers/primer/index.ts'
import { serve } from '../commands/serve.ts'
import { run } from '../run.ts'

await run('primer', () => serve(primer, process.argv.slice(2)))
