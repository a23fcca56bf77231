/** A PgBouncer of its own in front of a PostgreSQL, in a temporary folder. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.mjs'
import { installDebian } from './install-debian.mjs'

/** Gives `{ url, stop }`. Throws an Error that says why there can be none here. */
export async function startPgBouncer(url, settings) {
  await install()
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'perigee-pgbouncer-'))
  chmodSync(folder, 0o755) // It refuses to run as root.
  const own = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: own,
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`)
  const to = `host=${hostname} port=${port} user=${username} password=${password}`
  writeFileSync(file, `[databases]\n${pathname.slice(1)} = ${to}\n[pgbouncer]\n${lines.join('\n')}\n`)
  const server = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...account() })
  const stop = async () => {
    if (server.exitCode === null && server.kill('SIGKILL')) await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  for (let tries = 0; !(await answers(own)); tries++) {
    if (tries === 200 || server.exitCode !== null) {
      await stop()
      throw new Error('PgBouncer did not start')
    }
    await sleep(20)
  }
  return { url: `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`, stop }
}

async function install() {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' })
  } catch {
    await installDebian('pgbouncer', 'PgBouncer is not installed: apt-get install pgbouncer')
  }
}

function account() {
  if (process.getuid?.() !== 0) return {}
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }))
  return { uid: id('-u'), gid: id('-g') }
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}
