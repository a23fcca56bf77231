#!/usr/bin/env node
import { bossman } from '../../servers/bossman.ts'
import { serve } from '../commands/serve.ts'
import { run } from '../run.ts'

const [first = '', ...rest] = process.argv.slice(2)

/** A word is something to do with the list at this terminal; without one it is served. */
await run('bossman', async () => {
  if (!/^\w/.test(first)) return serve(bossman, process.argv.slice(2))
  const { tasks } = await import('../tasks/command.ts')
  return tasks(bossman, first, rest)
})
