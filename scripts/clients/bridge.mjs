import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { freePort } from '../free-port.mjs'

/** Starts a program that listens on a port; gives the port and a way to stop it. */
export async function startBridge(command, argsFor) {
  const port = await freePort()
  const running = spawn(command, argsFor(port), { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [running.stdout, running.stderr]) stream.on('data', (chunk) => (said += chunk))
  const ended = once(running, 'exit')
  while (!(await isListening(port))) {
    if (running.exitCode !== null) throw new Error(`it ended: ${said.slice(-300)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    port,
    stop: async () => {
      running.kill()
      await ended
    },
  }
}

function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect(port, 'localhost')
    socket.on('error', () => resolve(false))
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
