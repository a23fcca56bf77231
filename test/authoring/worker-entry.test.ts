import { expect, it } from 'vitest'
import * as everything from '../../src/index.ts'
import * as forWorkers from '../../src/worker.ts'

/** What needs Node, or a package that a Worker would have to bring itself. */
const NOT_FOR_WORKERS = [
  'ErrorReply',
  'apiKeys',
  'createNodeHandler',
  'createTestClient',
  'oauth',
  'openStore',
  'openTelemetry',
  'parseKeyFile',
  'parseKeys',
  'serveHttp',
  'serveStdio',
]

it('a Worker finds whatever needs no Node under the same name', () => {
  const missing = Object.keys(everything).filter((name) => !(name in forWorkers))
  expect(missing.sort()).toEqual(NOT_FOR_WORKERS)
  expect(Object.keys(forWorkers).filter((name) => !(name in everything))).toEqual([])
})
