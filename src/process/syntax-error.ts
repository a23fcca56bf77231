import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

interface SourcePlace {
  readonly file: string
  readonly line: number
}

/** What a file has said that does not load, and, in a line of its own, the place in it that helps its author. */
export function explainLoading(
  path: string,
  error: unknown,
): { readonly said: string; readonly where: string } {
  const thrown = error instanceof Error ? error : new Error(String(error))
  const { message, stack = '' } = thrown
  const syntax = explainSyntax(path, thrown)
  const place = syntax ?? stack.split('\n').find((line) => PLACE.test(line) && line.includes(path))
  const said = syntax === undefined ? message : message.replace(/\s*\n[\s\S]*/, '') // What follows is the place.
  return { said, where: place === undefined ? '' : `\n  ${place.trim()}` }
}

/** What stands before that in a stack is the message once more. */
const PLACE = /^\s*at /

/** Where a file, or one that it imports, cannot be parsed, and the line itself; undefined if that cannot be told. */
function explainSyntax(path: string, error: Error): string | undefined {
  const place = findPlace(`${error.message}\n${error.stack}`) ?? askNode(path, error)
  if (place === undefined || !existsSync(place.file)) return undefined
  const text = readFileSync(place.file, 'utf8').split('\n')[place.line - 1] ?? ''
  return `at ${place.file}:${place.line}\n    ${text.trim()}`
}

/** A place that has a line of its own, as Node and jiti write it; a line of a stack is none. */
function findPlace(text: string): SourcePlace | undefined {
  const [, file = '', line] = /^ *((?:file:\/\/)?\/.*?):(\d+)(?::\d+)?$/m.exec(text) ?? []
  if (line === undefined) return undefined
  return { file: file.startsWith('file:') ? fileURLToPath(file) : file, line: Number(line) }
}

/** As many files are looked at, one after the other. */
const MAX_FILES = 50

/** Node tells where a module cannot be parsed on stderr alone, so another one is asked to look, without running it. */
function askNode(path: string, error: Error): SourcePlace | undefined {
  if (!(error instanceof SyntaxError) || error.stack?.includes('file:')) return undefined
  const files = new Set([path])
  for (const file of files) {
    const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' })
    const place = findPlace(stderr ?? '')
    if (place !== undefined) return place
    for (const imported of importsOf(file)) if (files.size < MAX_FILES) files.add(imported)
  }
  return undefined
}

/** The files beside it that a file names in its imports. */
function importsOf(file: string): readonly string[] {
  const names = [...readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)]
  return names.map(([, name = '']) => resolve(dirname(file), name)).filter((one) => existsSync(one))
}
