import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { asSomebody, giveToSomebody } from '../setup/somebody.ts'

const SERVER = join(import.meta.dirname, 'skills-server.mjs')

it('a file of a skill that may not be read is left out, and told of', async () => {
  const root = mkdtempSync(join(tmpdir(), 'perigee-denied-skill-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'good'))
  writeFileSync(join(root, 'good', 'SKILL.md'), '---\nname: good\ndescription: Good.\n---\n')
  writeFileSync(join(root, 'good', 'closed'), 'secret')
  giveToSomebody(root, join(root, 'good'), join(root, 'good', 'SKILL.md'), join(root, 'good', 'closed'))
  chmodSync(join(root, 'good', 'closed'), 0)
  await using client = await connect(asSomebody(process.execPath, [SERVER, root]))
  const { skills } = await client.request('skills/list')
  expect(skills).toMatchObject([{ resources: [{ uri: 'skill://good/SKILL.md' }] }])
  await expect(client.read('skill://good/closed')).rejects.toThrow('Resource not found')
  const { content } = await client.callTool('reports')
  expect(content).toEqual([{ type: 'text', text: 'Left out: Permission denied for good/closed' }])
})
