import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ToolFile } from './tool-file.ts'

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-tools-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const toolOf = (name: string) => ({ name, description: 'd', template: 't' })

it('loses nothing of what several servers write into one file at once', async () => {
  const folder = createFolder()
  const path = join(folder, 'tools.json')
  const [one, other] = [new ToolFile(path), new ToolFile(path)]
  const names = Array.from({ length: 10 }, (_, index) => `tool_${index}`)
  await Promise.all(names.map((name, index) => (index % 2 === 0 ? one : other).add('', toolOf(name))))
  await Promise.all([one.remove('', 'tool_0'), other.remove('', 'tool_1')])
  const kept = (await one.read()).map(({ name }) => name)
  expect(kept.toSorted()).toEqual(names.slice(2))
  expect(readdirSync(folder)).toEqual(['tools.json'])
})

it('says of a file in a folder that is not there that it cannot be written', async () => {
  const path = join(createFolder(), 'gone', 'tools.json')
  await expect(new ToolFile(path).add('', toolOf('x'))).rejects.toThrow(`${path} cannot be written (ENOENT)`)
})
