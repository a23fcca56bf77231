import { setImmediate, setTimeout } from 'node:timers/promises'
import { defineServer } from '../../src/authoring/define-server.ts'
import type { Server } from '../../src/kernel/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import type { UpstreamOptions } from '../../src/modules/upstream/options.ts'
import { siblingsOf } from '../../src/modules/upstream/siblings.ts'
import { connectText } from '../../src/transports/memory/index.ts'
import { createEverything } from '../everything/everything.ts'
import { Inbox } from '../setup/inbox.ts'
import type { End } from '../transcripts/play.ts'

/** A server that has nothing but its upstreams, and says the same of itself as the one it stands for. */
export function createGateway(...modules: readonly ReturnType<typeof upstream>[]): Server {
  const { info, settings } = createEverything()
  const { pageSize } = settings
  return defineServer({ ...info, pageSize, modules: [...modules] })
}

/** What an upstream has changed is offered when its lists have been read again; nobody speaks before. */
async function readAgain(gateway: Server): Promise<void> {
  await setTimeout(30)
  for (const { looked } of siblingsOf(gateway)) await looked
}

/** Talks to the sample server through a server of which it is the upstream. */
export async function openGateway(options: UpstreamOptions): Promise<End> {
  const gateway = createGateway(upstream('sample', options))
  await gateway.start()
  for (const { looked } of siblingsOf(gateway)) await looked
  const heard = new Inbox<string>()
  const end = connectText(gateway, (line) => heard.push(line))
  let said = Promise.resolve()
  return {
    heard,
    names: {},
    say: (line) => {
      said = said
        .then(() => end.send(line))
        .then(() => (/"name":"change"/.test(line) ? readAgain(gateway) : undefined))
    },
    finish: async () => {
      await said
      await setTimeout(30)
      end.close()
      await setImmediate()
    },
    close: async () => {
      end.close()
      await gateway.close()
    },
  }
}
