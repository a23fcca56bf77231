import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../../scripts/compile.mjs'
import { REVISIONS } from '../../src/kernel/revisions/index.ts'
import type { Revision } from '../../src/kernel/revisions/revision.ts'
import { Proofs, printDocument } from './document.ts'
import { METHODS, methodsOf, QUESTIONS } from './methods.ts'
import type { ServerName } from './server.ts'
import { openClient, type Way, waysOf } from './ways.ts'

const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'REVISIONS.md')
const SERVER_NAMES: readonly ServerName[] = ['sample', 'skills']

const proofs = new Proofs()
let script = ''

beforeAll(async () => {
  script = await compile(join(import.meta.dirname, 'serve-revisions.ts'))
})

afterAll(() => rmSync(dirname(script), { recursive: true }))

describe.each(REVISIONS)('$id', (revision) => {
  it.each(waysOf(revision))('answers every method over %s', async (way) => {
    for (const server of SERVER_NAMES) await proveMethods(revision, way, server)
  })

  it.each(waysOf(revision))('asks every question over %s', (way) => proveQuestions(revision, way))
})

it('is what docs/REVISIONS.md says; if that is stale: npm run docs', async () => {
  await expect(printDocument(proofs)).toMatchFileSnapshot(DOCUMENT)
})

async function proveMethods(revision: Revision, way: Way, server: ServerName): Promise<void> {
  await using client = await openClient({ revision, way, server, script })
  for (const method of methodsOf(revision, server)) {
    // To have connected is to have shaken hands; whatever has no result is thrown.
    const prove = method === 'initialize' ? async () => {} : METHODS[method]
    expect(prove, method).toBeDefined()
    await prove?.(client)
    proofs.add(revision, way, method)
  }
}

async function proveQuestions(revision: Revision, way: Way): Promise<void> {
  const asked = new Set<string>()
  await using client = await openClient({ revision, way, server: 'sample', script }, asked)
  for (const question of revision.questions) {
    expect(await client.callTool(String(QUESTIONS[question])), question).toMatchObject({ isError: false })
    expect(asked.has(question), question).toBe(true)
    proofs.add(revision, way, question)
  }
}
