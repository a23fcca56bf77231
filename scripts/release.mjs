// Makes a release, up to what cannot be taken back: changelog, version, build, tarball, checks, and a try on each Node.
// All of it happens in a folder of its own; only when everything is well do four files of this tree change. Nothing is
// committed, pushed or published: the commands that do so are printed.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install, ROOT } from './outside.mjs'
import { releasedChangelog } from './release/changelog.mjs'
import { nextVersion } from './release/next-version.mjs'
import { Refusal } from './release/refusal.mjs'
import { checkTag, releasedCommit, unpackCommit } from './release/tree.mjs'
import { tryOnNodes } from './release/try-tarball.mjs'

const USAGE = 'npm run release -- patch|minor|major|X.Y.Z [--dry-run] [--branch NAME]'

/** Looks at the exports and types of the package as others see them; brings a TypeScript of its own. */
const TYPES = ['@arethetypeswrong/cli', '0.18.5']

const scratch = mkdtempSync(join(tmpdir(), 'perigee-release-'))
try {
  await release(readArguments())
} catch (error) {
  console.error(`There is no release, and nothing has been changed: ${tell(error)}`)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function readArguments() {
  const options = { 'dry-run': { type: 'boolean' }, branch: { type: 'string', default: 'main' } }
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    if (positionals.length === 1) return { asked: positionals[0], ...values }
  } catch (error) {
    throw new Refusal(`${error.message}\nUsage: ${USAGE}`)
  }
  throw new Refusal(`expected one version\nUsage: ${USAGE}`)
}

async function release({ asked, branch, 'dry-run': dryRun }) {
  const commit = releasedCommit(ROOT, branch)
  const current = JSON.parse(read('package.json')).version
  const version = nextVersion(current, asked)
  checkTag(ROOT, `v${version}`)
  checkVersions(current)
  const changed = changedFiles(current, version)
  step(`${current} becomes ${version}`, () => {
    unpackCommit(ROOT, commit, scratch)
    symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'))
    for (const [file, text] of Object.entries(changed)) writeFileSync(join(scratch, file), text)
  })
  const tarball = join(scratch, `perigee-${version}.tgz`)
  step('build', () => npm('run', '--silent', 'build'))
  step('pack', () => npm('pack', '--ignore-scripts', '--silent'))
  step('publint', () => bin('publint', '--strict', tarball))
  const types = await install(...TYPES)
  step('attw', () => node(join(types, 'dist', 'index.js'), tarball, '--profile', 'esm-only'))
  console.log('· the tarball in an empty project')
  await tryOnNodes({ tarball, version, folder: join(scratch, 'tried'), hello: readHello() })
  if (dryRun) return console.log(`\n${version} could be released. Nothing has been changed (--dry-run).`)
  if (releasedCommit(ROOT, branch) !== commit)
    throw new Refusal('the tree has moved on meanwhile: begin again')
  const left = commands(version, branch, Object.keys(changed))
  keep(changed, version, tarball)
  console.log(left)
}

/** A lock that says something else was not made from this package.json, and other packages in it may have our version. */
function checkVersions(current) {
  const { version, packages } = JSON.parse(read('package-lock.json'))
  const other = [version, packages?.['']?.version].find((one) => one !== current)
  if (version === current && other === undefined) return
  throw new Refusal(
    `package-lock.json has the version ${other}, and package.json ${current}: npm install --package-lock-only mends it`,
  )
}

/** The version stands in these places, and a test finds any other. */
function changedFiles(current, version) {
  const quoted = (file, quote, times) => {
    let left = times
    const text = read(file).replaceAll(`${quote}${current}${quote}`, (found) =>
      left-- > 0 ? `${quote}${version}${quote}` : found,
    )
    if (left > 0) throw new Refusal(`${file} does not have the version ${current}, which package.json has`)
    return text
  }
  return {
    'CHANGELOG.md': releasedChangelog(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10)),
    'package.json': quoted('package.json', '"', 1),
    'package-lock.json': quoted('package-lock.json', '"', 2),
    'src/kernel/version.ts': quoted('src/kernel/version.ts', "'", 1),
  }
}

function keep(changed, version, tarball) {
  const folder = join(ROOT, '.cache', 'release')
  mkdirSync(folder, { recursive: true })
  copyFileSync(tarball, join(folder, `perigee-${version}.tgz`))
  try {
    for (const [file, text] of Object.entries(changed)) writeFileSync(join(ROOT, file), text)
  } catch (error) {
    execFileSync('git', ['checkout', '--', ...Object.keys(changed)], { cwd: ROOT })
    throw error
  }
}

function commands(version, branch, files) {
  return `
${version} is ready, and nobody has it yet. These files have changed: ${files.join(', ')}. What is left is yours:

  git commit -am 'Perigee is version ${version}' && git tag -a v${version} -m 'Perigee ${version}'
  git push origin ${branch} v${version}
  npm publish .cache/release/perigee-${version}.tgz

To take it back: git checkout -- ${files.join(' ')}`
}

function step(name, run) {
  console.log(`· ${name}`)
  try {
    run()
  } catch (error) {
    throw new Error(
      `${name}: ${error.stdout ?? ''}${error.stderr ?? ''}${error.stdout === undefined ? error.message : ''}`,
    )
  }
}

/** The README's first server, as a file of its own. */
function readHello() {
  const [, hello] = /^```ts\n([\s\S]*?)^```$/m.exec(read('README.md')) ?? []
  if (hello === undefined) throw new Error('the README has no server to try')
  return hello
}

function read(file) {
  return readFileSync(join(ROOT, file), 'utf8')
}

function inScratch(command, args) {
  execFileSync(command, args, { cwd: scratch, encoding: 'utf8', stdio: 'pipe', maxBuffer: 1 << 26 })
}

function npm(...args) {
  inScratch('npm', args)
}

function bin(name, ...args) {
  inScratch(join(ROOT, 'node_modules', '.bin', name), args)
}

function node(...args) {
  inScratch(process.execPath, args)
}

function tell(error) {
  return error instanceof Refusal ? error.message : (error.stack ?? String(error))
}
