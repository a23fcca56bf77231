import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDER = join(ROOT, 'examples', 'code-mode')
const PERIGEE = join(ROOT, 'dist', 'cli', 'bin', 'perigee.js')

it('perigee serve leaves what its file says of the offer, unless the operator says otherwise', async () => {
  const offered = async (...flags: string[]) => {
    const args = [PERIGEE, 'serve', join(FOLDER, 'server.ts'), ...flags]
    await using client = await connect({ command: process.execPath, args })
    return (await client.tools()).map(({ name }) => name)
  }
  expect(await offered()).toEqual(['search', 'run'])
  expect(await offered('--offer', 'search')).toEqual(['search', 'call'])
})
