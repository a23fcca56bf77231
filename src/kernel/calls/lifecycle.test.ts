import { expect, it } from 'vitest'
import { Lifecycle, type Part } from './lifecycle.ts'

/** The parts of a server, and a clock that rings when it is told to. */
function withParts(...parts: readonly Part[]) {
  const ringing: (() => void)[] = []
  const after = (_milliseconds: number, run: () => void) => {
    ringing.push(run)
    return () => {}
  }
  const ring = () => {
    for (const run of ringing.splice(0)) run()
  }
  return { life: new Lifecycle({ parts, after, observe: () => {} }), ring }
}

/** Node 20 has none of its own. */
function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const LATE = 'The module slow does not open: it took more than 5 s when the server was closed'

it('closing does not wait for ever for a part to open, which is closed when it does', async () => {
  const said: string[] = []
  const slow = withResolvers()
  const { life, ring } = withParts(
    { name: 'module quick', open: () => said.push('open quick'), close: () => said.push('close quick') },
    { name: 'module slow', open: () => slow.promise, close: () => said.push('close slow') },
  )
  const started = Promise.resolve(life.start()).catch(({ message }: Error) => said.push(message))
  await Promise.resolve()
  const closed = life.close()
  ring()
  await closed
  await started
  expect(said).toEqual(['open quick', 'close quick', LATE])
  slow.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  expect(said.slice(3)).toEqual(['close slow'])
})

it('a part may close the server while it opens, and is told that this is not opening', async () => {
  const said: string[] = []
  const parts: Part[] = [{ name: 'module slow', open: () => life.close(), close: () => said.push('closed') }]
  const { life, ring } = withParts(...parts)
  const started = Promise.resolve(life.start()).catch(({ message }: Error) => said.push(message))
  await Promise.resolve()
  ring()
  await started
  await new Promise((resolve) => setImmediate(resolve))
  expect(said).toEqual([LATE, 'closed'])
})

it('what was given up can be opened again, and the first attempt does not get in its way', async () => {
  let opens = 0
  const slow = withResolvers()
  const { life, ring } = withParts({
    name: 'module slow',
    open: () => (++opens === 1 ? slow.promise : undefined),
  })
  const first = Promise.resolve(life.start())
  first.catch(() => {}) // It is looked at below.
  await Promise.resolve()
  const closed = life.close()
  ring()
  await closed
  await life.start()
  slow.resolve()
  await expect(first).rejects.toThrow(LATE)
  expect(opens).toBe(2)
  expect(life.start()).toBe(undefined)
})

it('what served a server that was closed is not ended again with those that serve it afterwards', async () => {
  const said: string[] = []
  const { life } = withParts({ name: 'module quick', close: () => said.push('close quick') })
  const serve = (name: string) => life.serve(async () => said.push(`end ${name}`))
  serve('first')
  await life.start()
  await life.close()
  const leave = serve('second')
  await life.start()
  await leave()
  await life.start()
  await life.close()
  expect(said).toEqual(['end first', 'close quick', 'close quick', 'close quick'])
})
