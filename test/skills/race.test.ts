import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ErrorReply, type TestClient } from '../../src/index.ts'
import { Shelf } from './shelf.ts'

const ATTEMPTS = 150

// Another thread that never yields: what it swaps, it swaps between any two steps of ours.
const SWAPPER = `
  const { renameSync, symlinkSync } = require('node:fs')
  const { root, outside } = require('node:worker_threads').workerData
  const at = (name) => root + '/' + name
  symlinkSync(outside, at('trap'))
  for (;;) {
    renameSync(at('pdf'), at('parked'))
    renameSync(at('trap'), at('pdf'))
    renameSync(at('pdf'), at('trap'))
    renameSync(at('parked'), at('pdf'))
  }
`

let shelf: Shelf
let client: TestClient
let swapper: Worker

beforeEach(async () => {
  shelf = await Shelf.create()
  const text = (word: string) => `---\nname: pdf\ndescription: ${word}\n---\n${word}\n`
  await shelf.write('pdf/SKILL.md', text('inside'))
  await shelf.write('pdf/deep/a.md', 'inside')
  const outside = join(shelf.base, 'outside')
  await mkdir(join(outside, 'deep'), { recursive: true })
  await writeFile(join(outside, 'SKILL.md'), text('secret'))
  await writeFile(join(outside, 'deep', 'a.md'), 'secret')
  await writeFile(join(outside, 'secret.md'), 'secret')
  client = await shelf.connect()
  swapper = new Worker(SWAPPER, { eval: true, workerData: { root: shelf.root, outside } })
})

afterEach(async () => {
  await swapper.terminate()
  await shelf[Symbol.asyncDispose]()
})

/** Whatever the server answers, as text. */
async function say(method: string, params: { readonly [key: string]: unknown } = {}): Promise<string> {
  try {
    return JSON.stringify(await client.request(method, params))
  } catch (error) {
    if (error instanceof ErrorReply && [-32602, -32002].includes(error.code)) return 'refused'
    throw error
  }
}

it('serves nothing from outside while a skill is being swapped for a link', async ({ skip }) => {
  skip(!existsSync('/proc/self/fd'), 'without /proc a swap between the check and the use stays possible')
  const answers: string[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    answers.push(
      await say('skills/list'),
      await say('resources/list'),
      await say('skills/get', { uri: 'skill://pdf/SKILL.md' }),
      await say('resources/read', { uri: 'skill://pdf/SKILL.md' }),
      await say('resources/read', { uri: 'skill://pdf/deep/a.md' }),
      await say('resources/directory/read', { uri: 'skill://pdf' }),
    )
  }
  expect(answers.filter((answer) => answer.includes('secret'))).toEqual([])
  expect(answers.some((answer) => answer.includes('inside'))).toBe(true)
})
