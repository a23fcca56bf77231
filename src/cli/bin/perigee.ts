#!/usr/bin/env node
import { main } from '../main.ts'
import { run } from '../run.ts'

await run('perigee', () => main(process.argv.slice(2)))
