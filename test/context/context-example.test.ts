import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDER = join(ROOT, 'examples', 'code-mode')
const PERIGEE = join(ROOT, 'dist', 'cli', 'bin', 'perigee.js')

it('the example of scripts does what it says, and ends', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(FOLDER, 'client.mjs')])
  expect(stdout.trimEnd().split('\n')).toEqual([
    'search, run',
    '/** Lists what there is: names, prices and how many are left. */',
    'list_stock(): Promise<{ name: string; price: number; left: number }[]>',
    '  asked: How many of black tea?',
    '3 × black tea',
    '  asked: A script wants to call empty_shelf, which may destroy something, with {"name":"white tea"}. Is it allowed to?',
    'no white tea any more',
    expect.stringMatching(
      /^ToolError: There is no tool "lst_stock"\. Did you mean list_stock\? .* \(line 2, column \d+\)$/,
    ),
    '1 of 2 calls were made: list_stock, lst_stock (not made).',
  ])
})

it('perigee serve leaves what its file says of the offer, unless the operator says otherwise', async () => {
  const offered = async (...flags: string[]) => {
    const args = [PERIGEE, 'serve', join(FOLDER, 'server.mjs'), ...flags]
    await using client = await connect({ command: process.execPath, args })
    return (await client.tools()).map(({ name }) => name)
  }
  expect(await offered()).toEqual(['search', 'run'])
  expect(await offered('--offer', 'search')).toEqual(['search', 'call'])
})
