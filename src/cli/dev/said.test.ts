import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { readOutput, type Said } from './said.ts'

it('turns an answer that is too long to be handed on into an error, and hears what follows', async () => {
  const output = new PassThrough()
  const heard: Said[] = []
  readOutput(output, (said) => heard.push(said))
  output.write('{"jsonrpc":"2.0","id":6,"result":{}}\n{"jsonrpc":"2.0","id":"7","result":{"text":"')
  const piece = Buffer.alloc(1024 * 1024, 'x')
  for (let at = 0; at < 65; at++) output.write(piece)
  output.end('"}}\n{"jsonrpc":"2.0","id":8,"result":{}}\n')
  await new Promise((resolve) => output.once('end', resolve))
  const answers = heard.flatMap(({ said }) => (said === undefined ? [] : [said]))
  expect(answers).toEqual([
    { jsonrpc: '2.0', id: 6, result: {} },
    { jsonrpc: '2.0', id: '7', error: { code: -32_603, message: expect.stringContaining('has more') } },
    { jsonrpc: '2.0', id: 8, result: {} },
  ])
})
