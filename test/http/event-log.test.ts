import { expect, it } from 'vitest'
import type { Store } from '../../src/kernel/index.ts'
import { openStore } from '../../src/stores/index.ts'
import { EventLog } from '../../src/transports/http/streams/event-log.ts'
import { logOf, readEvents } from '../../src/transports/http/streams/logged-events.ts'

const options = {
  keep: 10,
  ttlMs: 60_000,
  streamBytes: 1_000_000,
  sessionBytes: 1_000_000,
  bytes: 1_000_000,
  now: () => 0,
  after: () => () => {},
  failed: (error: unknown) => expect.unreachable(String(error)),
}

it('writes what comes while others are being told of what came before', async () => {
  const kept = openStore('memory:')
  let comesMeanwhile: (() => void) | undefined
  const store: Store = new Proxy(kept, {
    get: (target, name: keyof Store) =>
      name === 'publish'
        ? async (...told: Parameters<Store['publish']>) => {
            await kept.publish(...told)
            comesMeanwhile?.()
            comesMeanwhile = undefined
          }
        : (target[name] as (...args: unknown[]) => unknown).bind(target), // Every member of a store is a method.
  })
  const logs = new EventLog(store, options)
  const log = logs.open({ session: 's', stream: '1', calls: undefined, troubled: () => {} })
  comesMeanwhile = () => log.append({ number: 2, text: 'the answer', end: true })
  log.follow()
  log.append({ number: 1, text: 'a step' })
  await expect.poll(() => readEvents(logs, logOf('s', '1'), 0)).toHaveLength(2)
})
