import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'

const ROOT = join(import.meta.dirname, '..', '..')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const PAGES = [
  ...['AGENTS.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'],
  ...['docs/FAULTS.md', 'docs/ROUGH-EDGES.md', 'docs/VERSIONING.md'],
]

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8')

  it('names files that are there', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to = '']) => join(dirname(page), to))
    const quoted = [...text.matchAll(/`((?:src|test|docs|scripts|templates|bench)\/[\w./-]+)`/g)]
    const places = [...links, ...quoted.map(([, to = '']) => to)]
    expect(places.filter((place) => !existsSync(join(ROOT, place)))).toEqual([])
  })

  it('names titles that are there', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
    const missing = links.filter(([, to = '', title = '']) => {
      const other = readFileSync(to === '' ? join(ROOT, page) : join(ROOT, dirname(page), to), 'utf8')
      return !titlesOf(other).includes(title)
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })

  it('names commands that are there', () => {
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})

/** As GitHub makes them. */
function titlesOf(text: string): readonly string[] {
  const titles = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title)
  return titles.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\d _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

const GITHUB = join(ROOT, '.github')
const settingsOf = (file: string) => parseYaml(readFileSync(join(GITHUB, file), 'utf8'), { strict: true })
const settingsIn = (folder: string) =>
  readdirSync(join(GITHUB, folder)).map((file) => ({
    file: join(folder, file),
    ...settingsOf(join(folder, file)),
  }))

it('is looked at by the checks that everybody can run', () => {
  const { on, jobs } = settingsOf('workflows/ci.yml')
  expect(Object.keys(on)).toEqual(['push', 'pull_request'])
  expect(jobs.run.steps.map(({ run }: Step) => run)).toContain('.ci/run')
  expect(statSync(join(ROOT, '.ci', 'run')).mode & 0o111).toBe(0o111)
})

interface Step {
  readonly run?: string
  readonly uses?: string
}

it.each(settingsIn('workflows'))('$file has steps that do something', ({ on, jobs }) => {
  expect(on).toEqual(expect.any(Object))
  const steps = Object.values<{ readonly steps: readonly Step[] }>(jobs).flatMap((job) => job.steps)
  expect(steps.length).toBeGreaterThan(1)
  for (const { run = '', uses } of steps) {
    expect(uses ?? run).toMatch(/^(actions\/[\w-]+@v\d+|\.ci\/run|npm run .+)$/)
    const [, script = 'test'] = /^npm run ([\w:-]+)/.exec(run) ?? []
    expect(Object.keys(scripts)).toContain(script)
  }
})

/** What a form of GitHub must have, or it is shown as nothing. */
const forms = settingsIn('ISSUE_TEMPLATE').filter(({ file }) => !file.endsWith('config.yml'))

it.each(forms)('$file is a form that GitHub shows', ({ name, description, body }) => {
  expect([name, description]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)])
  const asked = body.filter(({ type }: Field) => type !== 'markdown')
  expect(body.map(({ type }: Field) => type).filter((type: string) => !FIELDS.includes(type))).toEqual([])
  expect(asked.every(({ attributes }: Field) => /\w/.test(attributes.label ?? ''))).toBe(true)
  expect(new Set(asked.map(({ id }: Field) => id)).size).toBe(asked.length)
})

const FIELDS = ['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']

interface Field {
  readonly type: string
  readonly id?: string
  readonly attributes: { readonly label?: string }
}

it('what its forms and templates speak of is there', () => {
  const files = ['pull_request_template.md', ...settingsIn('ISSUE_TEMPLATE').map(({ file }) => file)]
  const named = files.flatMap(
    (file) => readFileSync(join(GITHUB, file), 'utf8').match(/[\w/-]+\.md\b|\bdocs\/\w*/g) ?? [],
  )
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})
