import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { expect, it } from 'vitest'
import { LONG, NOT_AT_HAND } from '../../vitest.config.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Folders that are about the whole, by what it is held against, and those that only serve others. */
const OF_THE_WHOLE = [
  ...['transcripts', 'oracle', 'properties', 'conformance', 'sdks', 'documents'],
  ...['packages', 'engines', 'project', 'everything', 'setup'],
]

const tests = filesIn('test').filter((file) => /\.(ts|mts|mjs|cjs)$/.test(file))
const beside = ['src', 'console'].flatMap(filesIn).filter((file) => file.endsWith('.test.ts'))
const folders = [...new Set(tests.map((file) => file.split(sep)[1] ?? ''))]

function filesIn(folder: string): readonly string[] {
  const found = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return found.map((file) => join(folder, file))
}

it('stand in folders', () => {
  expect(tests.length).toBeGreaterThan(200)
  expect(tests.filter((file) => dirname(file) === 'test')).toEqual([])
})

it('stand in a folder that has the name of the one they are about, unless they are about the whole', () => {
  const parts = new Set([
    ...['console', 'scripts', 'site'],
    ...filesIn('src').flatMap((file) => basename(dirname(file))),
  ])
  expect(folders.filter((folder) => !parts.has(folder) && !OF_THE_WHOLE.includes(folder))).toEqual([])
  expect(OF_THE_WHOLE.filter((folder) => !folders.includes(folder))).toEqual([])
})

it('have no two files of one name', () => {
  const names = tests.map((file) => basename(file))
  expect(tests.filter((file) => names.filter((name) => name === basename(file)).length > 1)).toEqual([])
})

it('beside the code stand beside what they are about, or have the name of its folder', () => {
  const strays = beside.filter((file) => {
    const subject = file.slice(0, -'.test.ts'.length)
    const one = ['.ts', '.tsx'].some((ending) => existsSync(join(ROOT, `${subject}${ending}`)))
    return !one && basename(subject) !== basename(dirname(file))
  })
  expect(beside.length).toBeGreaterThan(50)
  expect(strays).toEqual([])
})

it('say why they are skipped, which a condition before them cannot', () => {
  const silent = [...tests, ...beside].filter((file) =>
    /\.(?:skipIf|runIf)\(/.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  expect(silent.filter((file) => basename(file) !== 'tests.test.ts')).toEqual([])
})

it('that are run on their own are there', () => {
  expect([...LONG, ...NOT_AT_HAND].filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

/** Whatever waits, keeps something, or looks at the world, and so is tested where it is used. */
const KEEPS_OR_WAITS =
  /\b(?:async|await|process|fetch|setTimeout|setInterval|setImmediate|queueMicrotask)\b|new Promise|Date\.now|new Date\(\)|Math\.random|\bclass \w+(?! extends Error)|^let |new (?:Map|Set|WeakMap)\b/m
const IMPORTS_TO_RUN = /^(?:import|export) (?!type\b)(?!\{(?:\s*type \w+,?)+\s*\})[^'"]*from '/m
const DECISION =
  /\bif \(| \? | \?\? |\bfor \(|\bwhile \(| && | \|\| |\.(?:filter|find|every|some|test|exec|replace|match)\(/g

/** Its decisions are the compiler's. */
const OF_TYPES = [join('src', 'authoring', 'define.ts')]

function onlyComputes(text: string): boolean {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  const isFree = !KEEPS_OR_WAITS.test(code) && !IMPORTS_TO_RUN.test(code)
  return isFree && /^export function /m.test(code) && (code.match(DECISION) ?? []).length >= 8
}

it('stand beside every file that only computes, and decides more than a little', () => {
  const sources = filesIn('src').filter((file) => /(?<!\.test|\.d)\.ts$/.test(file))
  const computing = sources.filter((file) => onlyComputes(readFileSync(join(ROOT, file), 'utf8')))
  const untested = computing.filter((file) => !existsSync(join(ROOT, file.replace(/\.ts$/, '.test.ts'))))
  expect(computing.length).toBeGreaterThan(20)
  expect(untested).toEqual(OF_TYPES)
})
