import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { clientOf, endAfterEach, ending, gatewayTo } from './gateway-of.ts'

endAfterEach()

/** Each list as a whole has a hash as well. */
const WHOLE = 1

/** How often something was done in the turn of the loop in which it was done most. */
function mostInOneTurn(): { readonly saw: () => void; readonly most: () => number } {
  const counts = [0]
  const tick = () => {
    counts.push(0)
    next = setImmediate(tick)
  }
  let next = setImmediate(tick)
  ending.push(() => clearImmediate(next))
  return {
    saw: () => {
      counts.push((counts.pop() ?? 0) + 1)
    },
    most: () => Math.max(...counts),
  }
}

it('of many tools that are pinned, a hundred are hashed before others have their turn', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-long-'))
  ending.push(() => rmSync(folder, { recursive: true }))
  const names = Array.from({ length: 350 }, (_, at) => `tool-${at}`)
  const server = defineServer({
    name: 's',
    version: '1',
    tools: names.map((name) => ({ name, run: () => name })),
  })
  const { saw, most } = mostInOneTurn()
  const crypto = process.getBuiltinModule('node:crypto')
  const { createHash: hash } = crypto
  const createHash = vi.spyOn(crypto, 'createHash')
  ending.push(() => createHash.mockRestore())
  createHash.mockImplementation((...given) => {
    saw()
    return hash(...given)
  })
  const client = await clientOf(gatewayTo({ many: { server, pins: join(folder, 'pins.json') } }))
  expect(await client.tools()).toHaveLength(350)
  expect(createHash.mock.calls.length).toBeGreaterThanOrEqual(350)
  expect(most()).toBeLessThanOrEqual(100 + WHOLE)
})
