#!/usr/bin/env node
import { bossman } from '../../servers/bossman.ts'
import { serve } from '../commands/serve.ts'
import { run } from '../run.ts'

await run('bossman', () => serve(bossman, process.argv.slice(2)))
