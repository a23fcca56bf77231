import { expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { child, DONE } from './hostile.ts'

const LIMITS = { maxMessageBytes: 100_000 }

/** A server whose tool `big` is answered by such a line, and which answers `stay` after that. */
const server = (line: string) =>
  child(`
  if (method !== 'tools/call') return
  if (params.name === 'stay') globalThis.staying = id
  else {
    const big = JSON.stringify({ content: [{ type: 'text', text: 'x'.repeat(300_000) + ',"id":1}' }] })
    say(${line} + '\\n')
    say({ jsonrpc: '2.0', id: globalThis.staying, result: ${JSON.stringify(DONE)} })
  }`)

it.each([
  ['before its result', `'{"jsonrpc":"2.0","id":' + id + ',"result":' + big + '}'`],
  ['after its result', `'{"result":' + big + ',"jsonrpc":"2.0","id":' + id + '}'`],
  ['last, after spaces', `'{"jsonrpc":"2.0", "result":' + big + ' , "id" : ' + id + ' } '`],
])(
  'an answer in a line that is too long ends its own call alone, where its id stands %s',
  async (_where, line) => {
    await using client = await connect(server(line), { limits: LIMITS })
    const staying = client.callTool('stay')
    await expect(client.callTool('big')).rejects.toMatchObject({
      reason: 'too-much',
      message: 'The server sent a line of more than 100000 bytes (maxMessageBytes)',
    })
    expect(await staying).toEqual(DONE)
  },
)

it.each([
  ['has no id', `'{"jsonrpc":"2.0","result":' + big + '}'`],
  [
    'is a question',
    `'{"params":' + big + ',"jsonrpc":"2.0","method":"ping","id":' + globalThis.staying + '}'`,
  ],
  ['does not end', `'{"jsonrpc":"2.0","result":' + big.repeat(8)`],
])('a line that is too long ends every call where it %s', async (_how, line) => {
  await using client = await connect(server(line), { limits: LIMITS })
  const staying = client.callTool('stay')
  await expect(client.callTool('big')).rejects.toMatchObject({ reason: 'too-much' })
  await expect(staying).rejects.toMatchObject({ reason: 'too-much' })
})
