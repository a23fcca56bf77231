#!/usr/bin/env node
import { moonphase } from '../../servers/moonphase.ts'
import { serve } from '../commands/serve.ts'
import { run } from '../run.ts'

await run('moonphase', () => serve(moonphase, process.argv.slice(2)))
