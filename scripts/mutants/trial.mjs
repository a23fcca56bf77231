import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A change that has the tests run on for so long has been noticed. */
const PATIENCE_MS = 300_000

/** All tests with every change asleep. */
export async function baseline(tree) {
  const { seen, told } = filesOf(tree)
  rmSync(seen, { force: true })
  await vitest(tree, ['--reporter=json', `--outputFile=${told}`], { PERIGEE_MUTANTS_SEEN: seen }, 3_600_000)
}

/** Which files reach which change, and the files from the quickest on. */
export function readBaseline(tree) {
  const { seen, told } = filesOf(tree)
  const { testResults } = JSON.parse(readFileSync(told, 'utf8'))
  const good = testResults.filter(({ status }) => status === 'passed')
  const took = ({ startTime, endTime }) => endTime - startTime
  const reached = new Map()
  for (const line of existsSync(seen) ? readFileSync(seen, 'utf8').trim().split('\n') : []) {
    const [id, file] = [Number(line.split(' ', 1)[0]), line.slice(line.indexOf(' ') + 1)]
    reached.set(id, (reached.get(id) ?? new Set()).add(file))
  }
  return {
    reached,
    order: good.toSorted((one, other) => took(one) - took(other)).map(({ name }) => name),
    broken: testResults.filter(({ status }) => status !== 'passed').map(({ name }) => name),
  }
}

function filesOf(tree) {
  return { seen: join(tree, 'seen.txt'), told: join(tree, 'baseline.json') }
}

/** Whether a test fails while this change is awake. */
export async function wake(tree, id, files) {
  const env = { PERIGEE_MUTANT: String(id), PERIGEE_MUTANTS_ORDER: files.join(':') }
  return (await vitest(tree, ['--bail=1', '--reporter=dot', ...files], env, PATIENCE_MS)) !== 0
}

async function vitest(tree, args, env, patienceMs) {
  const vitest = join(tree, 'node_modules', 'vitest', 'vitest.mjs')
  const running = spawn(process.execPath, [vitest, 'run', '--config=mutants.config.mjs', ...args], {
    cwd: tree,
    env: { ...process.env, ...env },
    stdio: 'ignore',
    detached: true,
  })
  const clock = setTimeout(() => process.kill(-Number(running.pid), 'SIGKILL'), patienceMs)
  const [code] = await once(running, 'exit')
  clearTimeout(clock)
  return code
}
