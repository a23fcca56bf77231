// A small server that prints, in the place of its first answer, which functions of a file have been called until then.
//   node scripts/first-answer.mjs URL-OF-PERIGEE URL-OF-FILE
import { Session } from 'node:inspector'

const [, , perigee, file] = process.argv
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const write = process.stdout.write.bind(process.stdout)
process.stdout.write = () => {
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    const { functions } = result.find(({ url }) => url === file)
    const called = functions.filter(({ ranges: [{ count }] }) => count > 0)
    write(
      JSON.stringify(called.map(({ functionName, ranges: [range] }) => ({ name: functionName, ...range }))),
    )
  })
  session.disconnect()
  return true
}

const { defineServer, defineTool, serveStdio } = await import(perigee)
const input = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const hello = defineTool({ name: 'hello', input, run: ({ name }) => `Hello, ${name}!` })
serveStdio(defineServer({ name: 'hello', version: '1', tools: [hello] }))
