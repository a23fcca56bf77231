import { ProgressLine } from '../../dist/bench/index.js'
import { CONTENDERS, entriesOf } from './contenders.mjs'
import { countFootprintSteps, importTimes, installSizes } from './footprint.mjs'
import { checkHttp, countHttpSteps, httpLoads } from './http-cases.mjs'
import { countMemorySteps, memoryOverCalls, sessionMemory, streamNotices } from './memory-cases.mjs'
import { checkPromises } from './promises.mjs'
import { describeRun, printPromises, printTables, writeReport } from './report.mjs'
import { Samples } from './samples.mjs'
import { checkStdio, coldStarts, countStdioSteps, stdioLists, stdioLoads } from './stdio-cases.mjs'

/** Measures everybody in everything, prints the tables and keeps them; gives the promises and how they stand. */
export async function runAll({ mode, plan, only, write }) {
  const samples = new Samples()
  const names = CONTENDERS.map(({ name }) => name).filter(
    (name) => name === 'raw' || (only?.includes(name) ?? true),
  )
  process.stderr.write(`Checking that all of them answer: ${names.join(', ')}\n`)
  const stdio = await checkStdio(entriesOf('stdio', only), samples)
  const http = await checkHttp(entriesOf('http', only), { samples, plan })
  const steps =
    countStdioSteps(stdio, plan) +
    countHttpSteps(http, plan) +
    countMemorySteps(http, plan) +
    countFootprintSteps(names, plan)
  const context = { samples, plan, progress: new ProgressLine(steps) }
  await coldStarts(stdio, context)
  await stdioLoads(stdio, context)
  await stdioLists(stdio, context)
  const flat = await memoryOverCalls(stdio, context)
  await httpLoads(http, context)
  await sessionMemory(http, context)
  await streamNotices(http, context)
  installSizes(names, context)
  importTimes(names, context)
  context.progress.end()

  const promises = checkPromises(samples, flat)
  console.log(`\n${[...printTables(samples), printPromises(promises)].join('\n\n')}`)
  for (const note of samples.notes) console.log(`- ${note}`)
  if (write) writeReport({ samples, flat, promises, run: describeRun(mode) })
  return promises
}
