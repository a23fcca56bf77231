import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../../scripts/compile.mjs'
import { REVISIONS } from '../../src/kernel/revisions/index.ts'
import type { Revision } from '../../src/kernel/revisions/revision.ts'
import { Client } from './client.ts'
import { Proofs, printDocument } from './document.ts'
import { openEnd, type Way, waysOf } from './ends.ts'
import { METHODS, methodsOf, QUESTIONS } from './methods.ts'
import type { ServerName } from './server.ts'

const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'REVISIONS.md')
const SERVER_NAMES: readonly ServerName[] = ['sample', 'skills']

const proofs = new Proofs()
let script = ''

beforeAll(async () => {
  script = await compile(join(import.meta.dirname, 'serve.ts'))
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
  await using end = await converse(revision, way, server)
  const opened = await end.client.open()
  for (const method of methodsOf(revision, server)) {
    const ask = method === 'initialize' ? () => opened : METHODS[method]
    expect(await ask?.(end.client), method).toHaveProperty('result')
    proofs.add(revision, way, method)
  }
}

async function proveQuestions(revision: Revision, way: Way): Promise<void> {
  await using end = await converse(revision, way, 'sample')
  await end.client.open()
  for (const question of revision.questions) {
    const { result } = await end.client.ask('tools/call', { name: QUESTIONS[question] })
    expect(result, question).toMatchObject({ isError: false })
    expect(end.client.asked.has(question), question).toBe(true)
    proofs.add(revision, way, question)
  }
}

async function converse(revision: Revision, way: Way, server: ServerName) {
  const client = new Client(await openEnd({ way, server, revision, script }), revision)
  return { client, [Symbol.asyncDispose]: () => client.close() }
}
