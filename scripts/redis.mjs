/** A Redis server of its own in a temporary folder. Run by itself, it starts one and stops it on Ctrl-C. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { promisify } from 'node:util'
import { makeCertificates } from './certificates.mjs'
import { freePort } from './free-port.mjs'
import { installDebian } from './install-debian.mjs'
import { runAlone } from './run-alone.mjs'

const run = promisify(execFile)

const PASSWORD = 'correct-horse'
const PATIENCE_MS = 20_000

/**
 * Gives `{ url, start, halt, freeze, thaw, stop }`. Throws an Error that says why there can be no server here.
 * The server listens on 127.0.0.1 alone, wants a password, does not outlive `stop`, and has what it acknowledged
 * when it is started again after `halt`. With `tls` it speaks TLS alone, by a certificate of the authority in the file `ca`.
 */
export async function startRedis({ tls = false } = {}) {
  const program = await findProgram()
  const folder = mkdtempSync(join(tmpdir(), 'perigee-redis-'))
  const port = await freePort()
  const files = tls ? await makeCertificates(folder) : undefined
  const options = { ...portOptions(port, files), bind: '127.0.0.1', dir: folder, ...KEPT }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  let server
  const isUp = () => server !== undefined && server.exitCode === null && server.signalCode === null
  const start = async () => {
    if (isUp()) return
    server = spawn(program, args, { stdio: 'ignore' })
    await untilItAnswers({ port, ca: files?.ca }, server)
  }
  const halt = async () => {
    if (!isUp()) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  const stop = async () => {
    await halt()
    rmSync(folder, { recursive: true, force: true })
  }
  // What was started does not outlive whoever forgot it.
  process.once('exit', () => server?.kill('SIGKILL'))
  try {
    await start()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: `${tls ? 'rediss' : 'redis'}://:${PASSWORD}@127.0.0.1:${port}`,
    ca: files?.ca,
    start,
    halt,
    freeze: async () => void server.kill('SIGSTOP'),
    thaw: async () => void server.kill('SIGCONT'),
    stop,
  }
}

const KEPT = { requirepass: PASSWORD, appendonly: 'yes', save: '' }

function portOptions(port, files) {
  if (files === undefined) return { port }
  const certificates = {
    'tls-ca-cert-file': files.ca,
    'tls-cert-file': files.cert,
    'tls-key-file': files.key,
  }
  return { port: 0, 'tls-port': port, 'tls-auth-clients': 'no', ...certificates }
}

/** Valkey's server takes the same options. */
const PROGRAMS = ['redis-server', 'valkey-server']

async function findProgram() {
  const found = await firstOf(PROGRAMS)
  if (found !== undefined) return found
  await installDebian('redis-server', 'Redis is not installed: apt-get install redis-server')
  const installed = await firstOf(PROGRAMS)
  if (installed === undefined) throw new Error('apt-get installed redis-server, but it is not in the path')
  return installed
}

async function firstOf(programs) {
  for (const program of programs) {
    const works = await run(program, ['--version']).then(
      () => true,
      () => false,
    )
    if (works) return program
  }
  return undefined
}

/** It reads its files before it answers; until then it says LOADING. */
async function untilItAnswers(at, server) {
  const deadline = Date.now() + PATIENCE_MS
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`redis-server ended with ${server.exitCode}`)
    if ((await ask(at, `AUTH ${PASSWORD}\r\nPING\r\n`)).includes('PONG')) return
    await sleep(20)
  }
  throw new Error(`redis-server did not answer within ${PATIENCE_MS / 1000} s`)
}

function ask({ port, ca }, text) {
  return new Promise((resolve) => {
    let said = ''
    const begin = () => socket.write(text)
    const at = { host: '127.0.0.1', port }
    const socket =
      ca === undefined ? connect(at, begin) : connectSecurely({ ...at, ca: readFileSync(ca) }, begin)
    socket.on('data', (bytes) => {
      said += bytes
      if (/PONG|LOADING/.test(said)) socket.destroy()
    })
    socket.on('error', () => {}) // It is asked again.
    socket.on('close', () => resolve(said))
  })
}

if (process.argv[1] === import.meta.filename) await runAlone(() => startRedis())
