import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGE = join(ROOT, 'THIRD-PARTY-NOTICES.txt')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** What our code imports and npm does not bring along is taken into what we publish. */
function bundled(): readonly string[] {
  const files = ['src', 'console'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const texts = files
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(join(ROOT, file), 'utf8').replaceAll(/^ *(\/\*\*|\*).*$/gm, '')) // Comments show imports, too.
  const imported = texts.flatMap((text) => [
    ...text.matchAll(/(?:\bfrom |^import |\bimport\()'([^'.#][^']*)'/gm),
  ])
  const packages = imported.map(([, to = '']) => /^(@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to)
  const brought = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  const others = packages.filter((name) => !name.startsWith('node:') && !brought.includes(name))
  return [...new Set(others)].sort()
}

/** A licence stands in a file of its own, or on top of the code. */
function licenceOf(name: string): string {
  const folder = join(ROOT, 'node_modules', name)
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim()
  const code = readFileSync(
    join(folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).main),
    'utf8',
  )
  const [comment = ''] = /\/\*[*!][\s\S]*?\*\//.exec(code) ?? []
  return comment.replaceAll(/^\/\*[*!]|@preserve|\*\/$|^ {4}/gm, '').trim()
}

function noticeOf(name: string): string {
  const { version, license } = JSON.parse(
    readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'),
  )
  return `${'='.repeat(100)}\n${name} ${version} (${license})\n\n${licenceOf(name)}\n`
}

/** `npm run docs` writes it. */
it('names what is taken in of others, with their licences', () => {
  const head = 'What is published of Perigee holds code of others, under their licences.\n\n'
  const written = head + bundled().map(noticeOf).join('\n')
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, written)
  expect(readFileSync(PAGE, 'utf8')).toBe(written)
  expect(bundled().length).toBeGreaterThan(0)
  for (const name of bundled())
    expect(licenceOf(name)).toMatch(/Copyright \(c\)[\s\S]*Permission is hereby granted/i)
})

it('is part of what is published', () => {
  expect(manifest.files).toContain('THIRD-PARTY-NOTICES.txt')
})
