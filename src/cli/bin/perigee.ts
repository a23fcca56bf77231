#!/usr/bin/env node
import '../node-version.ts'
import { main } from '../main.ts'
import { run } from '../run.ts'

await run('perigee', () => main(process.argv.slice(2)))
