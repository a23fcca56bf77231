import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../src/kernel/index.ts'
import { freshFolder, installed } from './installed.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CLONE = join(freshFolder('release'), 'perigee')
const [major = 0, minor = 0, patch = 0] = VERSION.split('.').map(Number)
const NEXT = `${major}.${minor}.${patch + 1}`

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: CLONE,
    encoding: 'utf8',
  }).trim()

function release(...args: readonly string[]) {
  const env = { ...process.env, ...installed.environment }
  return spawnSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: CLONE, env, encoding: 'utf8' })
}

const edit = (file: string, change: (text: string) => string) =>
  writeFileSync(join(CLONE, file), change(readFileSync(join(CLONE, file), 'utf8')))

/** A clone on the branch of releases, with what is installed here. */
beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', ROOT, CLONE])
  git('checkout', '--quiet', '-B', 'main')
  appendFileSync(join(CLONE, '.git', 'info', 'exclude'), 'node_modules\n')
  symlinkSync(join(ROOT, 'node_modules'), join(CLONE, 'node_modules'))
  edit('CHANGELOG.md', (text) => text.replace('## Unreleased\n', '## Unreleased\n\n- Something new.\n'))
  git('commit', '--quiet', '--all', '--message', 'There is something new')
  git('tag', 'begun')
})

afterEach(() => {
  git('checkout', '--quiet', '--force', '-B', 'main', 'begun')
  git('clean', '--quiet', '--force')
})

describe('a release is refused, and nothing changed,', () => {
  it.each([
    ['without a version', [], 'expected one version'],
    [
      'with a word that is none',
      ['newest'],
      'expected patch, minor, major or a version such as 1.2.3, got "newest"',
    ],
    ['with an option that is none', ['patch', '--publish'], "Unknown option '--publish'"],
    ['with an earlier version', ['0.0.1'], `0.0.1 comes before ${VERSION}`],
    [
      'on another branch',
      ['patch', '--branch', 'next'],
      'this is the branch main: releases are made on next',
    ],
  ] as const)('%s', (_when, args, words) => {
    const { status, stderr } = release(...args)
    expect([status, stderr]).toEqual([1, expect.stringContaining(words)])
    expect(git('status', '--porcelain')).toBe('')
  })

  it('from a tree that is not clean', () => {
    edit('LICENSE', (text) => `${text}\n`)
    expect(release('patch').stderr).toMatch(/the tree is not clean: commit or stash this first\n M LICENSE/)
    expect(git('status', '--porcelain')).toBe('M LICENSE')
  })

  it('with nothing in the changelog', () => {
    edit('CHANGELOG.md', (text) =>
      text.replace('## Unreleased\n', '## Unreleased\n\n## 0.0.9 (2026-01-01)\n'),
    )
    git('commit', '--quiet', '--all', '--message', 'There is nothing new')
    expect(release('patch').stderr).toContain('"## Unreleased" in CHANGELOG.md is empty')
  })

  it('outside of a repository, without a trace of the program', () => {
    renameSync(join(CLONE, '.git'), join(CLONE, '..', 'git'))
    const { status, stderr } = release('patch')
    renameSync(join(CLONE, '..', 'git'), join(CLONE, '.git'))
    expect([status, stderr]).toEqual([1, expect.stringMatching(/ is no git repository: .*\n$/)])
    expect(stderr).not.toContain('    at ')
  })

  it('with a lock of another version', () => {
    edit('package-lock.json', (text) => text.replace(`"version": "${VERSION}"`, '"version": "9.9.9"'))
    git('commit', '--quiet', '--all', '--message', 'The lock is of another version')
    const { status, stderr } = release('patch')
    expect([status, stderr.split('\n').length]).toEqual([1, 2])
    expect(stderr).toContain(`package-lock.json has the version 9.9.9, and package.json ${VERSION}`)
  })

  it('of a version that has its tag', () => {
    git('tag', `v${NEXT}`)
    expect(release('patch').stderr).toContain(`there is a tag v${NEXT} already`)
    git('tag', '--delete', `v${NEXT}`)
  })

  it('where a step fails', () => {
    edit('src/index.ts', (text) => `${text}\nexport const broken: number = 'no number'\n`)
    git('commit', '--quiet', '--all', '--message', 'It does not compile')
    const { status, stdout, stderr } = release('patch')
    expect([status, stdout]).toEqual([1, `· ${VERSION} becomes ${NEXT}\n· build\n`])
    expect(stderr).toMatch(/^There is no release, and nothing has been changed: .*build: src\/index\.ts/)
    expect(git('status', '--porcelain')).toBe('')
  })
})

it('changes four files, makes a tarball that works on each Node, and leaves the rest to a person', ({
  skip,
}) => {
  skip(installed.missing.nodes !== '', installed.missing.nodes)
  const head = git('rev-parse', 'HEAD')
  const { status, stdout, stderr } = release('patch')
  expect([status, stderr]).toEqual([0, ''])
  const steps = [...stdout.matchAll(/^(?:· | {2}(?=Node))([\w ]+?)(?= becomes|:|$)/gm)].map(
    ([, step]) => step,
  )
  expect(steps).toEqual([
    ...['build', 'pack', 'publint', 'attw', 'the tarball in an empty project'],
    ...['Node 20', 'Node 22', 'Node 24'],
  ])
  const changed = ['CHANGELOG.md', 'package-lock.json', 'package.json', 'src/kernel/version.ts']
  expect(git('diff', '--name-only').split('\n')).toEqual(changed)
  expect(git('diff', '--numstat', ...changed.slice(1)).replaceAll(/\s+/g, ' ')).toBe(
    '2 2 package-lock.json 1 1 package.json 1 1 src/kernel/version.ts',
  )
  expect(git('diff', 'CHANGELOG.md')).toMatch(
    new RegExp(`\\+## ${NEXT.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)`),
  )
  expect([git('rev-parse', 'HEAD'), git('tag', '--list')]).toEqual([head, 'begun'])
  expect(existsSync(join(CLONE, '.cache', 'release', `perigee-${NEXT}.tgz`))).toBe(true)
  expect(stdout).toContain(`npm publish .cache/release/perigee-${NEXT}.tgz`)
}, 400_000) // It builds, installs and starts on three versions of Node.
