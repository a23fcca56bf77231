import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { createNodeHandler } from '../../src/index.ts'
import { endAfterEach, ending, gatewayTo, listen, textOf } from './gateway-of.ts'

endAfterEach()

const DEFINED = {
  'by what they call themselves': { names: ['Ann', 'Bob'], together: 1, processes: 2 },
  'not at all where that is the same': { names: ['Ann', 'Ann'], together: 2, processes: 1 },
}

it.each(Object.entries(DEFINED))(
  'callers without keys, over HTTP in the newest revision, are told apart %s',
  async (_, { names, together, processes }) => {
    const asking = join(import.meta.dirname, 'asking.mjs') // Asks when it has had so many calls.
    const gateway = gatewayTo({ behind: { command: process.execPath, args: [asking, String(together)] } })
    await gateway.start()
    const url = await listen(createNodeHandler(gateway, { allowAnonymous: true }))
    const said = names.map(async (name, index) => {
      const client = await connect(url, {
        revision: '2026-07-28',
        info: { name, version: '1' },
        answers: {
          'elicitation/create': ({ message }) => ({
            action: 'accept',
            content: { name: `${name} ${message}` },
          }),
        },
      })
      ending.push(() => client.close())
      return textOf(await client.callTool('ask', { who: `call ${index}` }))
    })
    expect(await Promise.all(said)).toEqual(names.map((name, index) => `${name} call ${index}`))
    expect(gateway.usage.read('maxUpstreamConnections')).toBe(processes)
  },
)
