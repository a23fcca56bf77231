import { expect, it } from 'vitest'
import { createFetchHandler, createNodeHandler, defineServer, openStore, serveHttp } from '../../src/index.ts'
import { createSealer } from '../../src/platform/sealing.ts'
import { createFetchHandler as createWorkerHandler } from '../../src/worker.ts'

const ROUNDS = [['OLD'], ['OLD', 'NEW'], ['NEW', 'OLD'], ['NEW']]

it('a secret is changed in the rounds that operators are told, with nodes of two rounds side by side', () => {
  const sealers = ROUNDS.map(createSealer)
  for (const [round, one] of sealers.entries()) {
    for (const other of sealers.slice(round, round + 2)) {
      expect(other.open(one.seal('a', 'b'), 'b'), `sealed in round ${round}`).toBe('a')
      expect(one.open(other.seal('a', 'b'), 'b'), `opened in round ${round}`).toBe('a')
    }
  }
})

it.each([
  'redis://127.0.0.1:1',
  'rediss://127.0.0.1:1',
  'postgres://127.0.0.1:1/x',
  'postgresql://127.0.0.1:1/x',
])('a program that shares %s over HTTP is told to have a secret', async (store) => {
  const about = { name: 'one', version: '1.0.0' }
  const wanted = /^defineServer: secrets: servers that share a store/
  await expect(serveHttp(defineServer({ ...about, store }), { port: 0 })).rejects.toThrow(wanted)
  await expect(serveHttp(defineServer(about), { port: 0, store: openStore(store) })).rejects.toThrow(wanted)
  expect(() => createNodeHandler(defineServer({ ...about, store }))).toThrow(wanted)
  expect(() => createFetchHandler(defineServer({ ...about, store }))).toThrow(wanted)
  expect(() => createWorkerHandler(defineServer({ ...about, store }))).toThrow(wanted)
  const sealed = defineServer({ ...about, store, secrets: ['a secret'] })
  await expect(serveHttp(sealed, { port: 0 })).rejects.toThrow('cannot be reached')
})
