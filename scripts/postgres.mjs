/** A PostgreSQL server of its own in a temporary folder. Run by itself, it starts one and stops it on Ctrl-C. */
import { execFile, execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from './free-port.mjs'
import { installDebian } from './install-debian.mjs'
import { runAlone } from './run-alone.mjs'

const run = promisify(execFile)

const DEBIAN = '/usr/lib/postgresql'
const isRoot = process.getuid?.() === 0

/**
 * Gives `{ url, start, halt, freeze, thaw, stop }`. Throws an Error that says why there can be no server here.
 * The server listens on 127.0.0.1 alone, has one user with a password, does not outlive `stop`, and does not
 * wait for the disk: what it keeps is not worth keeping.
 */
export async function startPostgres() {
  const bin = await findBinaries()
  const user = isRoot ? accountOf('postgres') : undefined
  const folder = mkdtempSync(join(tmpdir(), 'perigee-postgres-'))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const command = (name, ...args) => run(join(bin, name), args, { ...user, cwd: folder, env: ENVIRONMENT })
  const data = join(folder, 'data')
  try {
    const port = await freePort()
    const password = join(folder, 'password')
    writeFileSync(password, PASSWORD)
    await command('initdb', '-D', data, '-U', 'perigee', `--pwfile=${password}`, ...INITDB)
    const options = `-p ${port} -c unix_socket_directories= -c listen_addresses=127.0.0.1 -c fsync=off`
    const start = () => command('pg_ctl', '-D', data, '-o', options, '-l', join(folder, 'log'), '-w', 'start')
    const stopAtOnce = () => command('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop')
    await start()
    return {
      url: `postgres://perigee:${PASSWORD}@127.0.0.1:${port}/postgres`,
      start,
      halt: () => kill(data),
      freeze: () => signalAll('SIGSTOP', data),
      thaw: () => signalAll('SIGCONT', data),
      stop: async () => {
        await stopAtOnce().catch(() => {}) // It may have been halted already.
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** Each connection has a process of its own, which answers though the first one is stopped. */
async function signalAll(signal, data) {
  for (const pid of await processesOf(data)) process.kill(pid, signal)
}

/** The first one ends without a word to anybody. The others find out by themselves; while one is there, no server starts. */
async function kill(data) {
  const pids = await processesOf(data)
  process.kill(pids[0], 'SIGKILL')
  for (const end = performance.now() + ENDING_MS; performance.now() < end; await wait(20)) {
    // It fails where none of them is left; one that has ended may not have been taken note of.
    const { stdout } = await run('ps', ['-o', 'stat=', '-p', pids.join()]).catch(() => ({ stdout: '' }))
    if (!stdout.split('\n').every((state) => state === '' || state.startsWith('Z'))) continue
    rmSync(join(data, 'postmaster.pid')) // Where nobody takes note of their end, it would be taken for one that runs.
    return
  }
  throw new Error(`PostgreSQL was killed, and some of its processes go on: ${pids.join(', ')}`)
}

const ENDING_MS = 30_000

async function processesOf(data) {
  const [postmaster] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', postmaster])
  return [postmaster, ...stdout.split('\n')].map(Number).filter((pid) => pid > 0)
}

const PASSWORD = 'correct-horse'
const INITDB = ['--auth=scram-sha-256', '-E', 'UTF8', '--locale=C', '--no-sync']
const ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

/** Debian keeps the server's commands out of the path, by version. */
async function findBinaries() {
  const found = newestBinaries()
  if (found !== undefined) return found
  await installDebian('postgresql', `PostgreSQL is not installed in ${DEBIAN}: apt-get install postgresql`)
  const installed = newestBinaries()
  if (installed === undefined) throw new Error(`apt-get installed PostgreSQL, but not in ${DEBIAN}`)
  return installed
}

function newestBinaries() {
  try {
    const versions = readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one))
    return versions
      .map((version) => join(DEBIAN, version, 'bin'))
      .find((bin) => readdirSync(bin).includes('initdb'))
  } catch {
    return undefined // There is no such folder.
  }
}

/** PostgreSQL refuses to run as root. */
function accountOf(name) {
  const id = (flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }))
  return { uid: id('-u'), gid: id('-g') }
}

if (process.argv[1] === import.meta.filename) await runAlone(startPostgres)
