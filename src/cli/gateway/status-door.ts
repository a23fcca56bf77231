import { mkdir, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineModule, type Module } from '../../authoring/define.ts'
import { writePrivate } from '../../confined/private-file.ts'
import type { RelayedState, Server } from '../../kernel/index.ts'
import type { DoorSign } from './door-sign.ts'
import { homeFolder } from './home.ts'
import { sweepDoors } from './sweep-doors.ts'

/** What a gateway tells whoever asks how it is. */
export interface GatewayState {
  readonly pid: number
  readonly started: string
  /** What it reads, or the one server that it was given. */
  readonly serves: string
  readonly transport: 'stdio' | 'http'
  readonly upstreams: readonly RelayedState[]
}

export const SIGNS = () => homeFolder('gateways')

/** A way to ask a gateway how it is, by a socket that only its owner can reach; whatever is sent is not read. */
export function statusDoor(describe: () => Omit<GatewayState, 'pid' | 'started' | 'upstreams'>): Module {
  const started = new Date().toISOString()
  const doors = new Map<unknown, () => Promise<void>>()
  return defineModule({
    name: 'status',
    open: async (seen) => {
      const server = seen as Server // The kernel's own face.
      const state = (): GatewayState => ({
        pid: process.pid,
        started,
        ...describe(),
        upstreams: [...server.relaying.upstreams].map((one) => one.state),
      })
      try {
        doors.set(seen, await openDoor(state))
      } catch (error) {
        const message = `perigee gateway status will not find this one: ${(error as Error).message}`
        server.observe({ kind: 'noted', level: 'info', message })
      }
    },
    close: async (seen) => {
      await doors.get(seen)?.()
      doors.delete(seen)
    },
  })
}

async function openDoor(state: () => GatewayState): Promise<() => Promise<void>> {
  const folder = SIGNS()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const socket = socketIn(folder)
  const answer = (caller: Socket) => {
    caller.on('error', () => {}) // Whoever asked has gone.
    caller.end(JSON.stringify(state()))
  }
  const listener = createServer(answer)
  await rm(socket, { force: true }) // Left behind by somebody who had this number before.
  await new Promise<void>((resolve, reject) => listener.once('error', reject).listen(socket, resolve))
  listener.unref()
  const sign = join(folder, `${process.pid}.json`)
  await writePrivate(sign, JSON.stringify({ pid: process.pid, socket } satisfies DoorSign))
  sweepDoors(folder).catch(() => {}) // What others have left is in nobody's way.
  return async () => {
    await rm(sign, { force: true })
    await new Promise((resolve) => listener.close(resolve))
  }
}

/** Some systems have room for a hundred characters. */
const LONGEST_SOCKET = 100

function socketIn(folder: string): string {
  const name = `${process.pid}.sock`
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\perigee-gateway-${process.pid}-${crypto.randomUUID()}`
  const beside = join(folder, name)
  return beside.length <= LONGEST_SOCKET ? beside : join(tmpdir(), `perigee-${crypto.randomUUID()}.sock`)
}
