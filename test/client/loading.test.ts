import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { serveHttp } from '../../src/index.ts'
import { LineProcess } from '../setup/process.ts'
import { createSample } from './client-sample.ts'

const DIST = join(import.meta.dirname, '..', '..', 'dist')

/** The text of a published file, and of all that it loads before it runs. */
function loadedBy(file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return ''
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  const imported = [...text.matchAll(/^(?:import|export)\b[^;]*?["'](\.[^"']+)["']/gm)]
  return text + imported.map(([, to = '']) => loadedBy(join(dirname(file), to), seen)).join('')
}

const CLIENT = 'maxReconnects'

it('whoever imports perigee does not load the client', () => {
  expect(loadedBy(join(DIST, 'index.js'))).toContain('createTestClient')
  expect(loadedBy(join(DIST, 'index.js'))).not.toContain(CLIENT)
})

it('a client starts no child, and no server, before it needs one', () => {
  const loaded = loadedBy(join(DIST, 'client', 'index.js'))
  expect(loaded).toContain(CLIENT)
  expect(loaded).not.toMatch(/node:child_process|node:http\b|node:net/)
})

it('a program that has closed its clients ends by itself, and leaves no child', async () => {
  const http = await serveHttp(createSample())
  onTestFinished(async () => void (await http.close(0)))
  const program = new LineProcess(join(import.meta.dirname, 'connect-close-and-exit.mjs'), {
    args: [http.url],
  })
  onTestFinished(() => program.kill())
  const child = await program.lines.next()
  expect(await program.lines.next()).toBe('closed')
  expect(await program.end()).toBe(0)
  expect(() => process.kill(Number(child), 0)).toThrow('ESRCH')
})
