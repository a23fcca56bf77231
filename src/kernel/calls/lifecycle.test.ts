import { describe, expect, it } from 'vitest'
import { SlowMotion } from '../../../test/setup/slow-motion.ts'
import type { KernelObserver } from './events.ts'
import { Lifecycle, type Part } from './lifecycle.ts'

/** The parts of a server, and a clock that rings when it is told to. */
function withParts(...parts: readonly Part[]) {
  const ringing: (() => void)[] = []
  const observed: string[] = []
  const after = (_milliseconds: number, run: () => void) => {
    ringing.push(run)
    return () => void ringing.splice(ringing.indexOf(run), 1)
  }
  const observe: KernelObserver = (event) => {
    if (event.kind === 'crashed') observed.push(`${event.method}: ${(event.error as Error).message}`)
    if (event.kind === 'noted') observed.push(event.message)
  }
  const ring = () => {
    for (const run of ringing.splice(0)) run()
  }
  return { life: new Lifecycle({ parts, after, observe }), ring, ringing, observed }
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

it('a part that does not open is told of by its name, and one that does is not', async () => {
  const slow = withResolvers()
  const { life, ring, ringing, observed } = withParts(
    { name: 'module quick', open: async () => {} },
    { name: 'module slow', open: () => slow.promise },
  )
  const started = life.start()
  while (ringing.length === 0) await Promise.resolve()
  await new Promise(setImmediate)
  ring()
  expect(observed).toEqual(['The module slow has not opened for 5 s, and nobody is served before it has'])
  slow.resolve()
  await started
  expect(ringing).toEqual([])
})

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

/** A part that says what becomes of it. */
const saying = (said: string[], name: string, more: Partial<Part> = {}): Part => ({
  name: `module ${name}`,
  open: () => said.push(`open ${name}`),
  ready: () => said.push(`ready ${name}`),
  close: () => said.push(`close ${name}`),
  ...more,
})

it('all of them are made ready when all are open', async () => {
  const said: string[] = []
  const { life } = withParts(saying(said, 'a'), saying(said, 'b'))
  await life.start()
  expect(said).toEqual(['open a', 'open b', 'ready a', 'ready b'])
})

it.each([new Error('no'), 'no'])('all of them are closed when one does not get ready', async (reason) => {
  const said: string[] = []
  let tries = 0
  const ready = async () => {
    if (tries++ === 0) throw reason
  }
  const { life } = withParts(saying(said, 'a', { ready }), saying(said, 'b', { ready: undefined }))
  await expect(life.start()).rejects.toThrow('The module a does not open: no')
  expect(said).toEqual(['open a', 'open b', 'close b', 'close a'])
  await life.start()
  expect(said.slice(4)).toEqual(['open a', 'open b'])
  expect(life.start()).toBeUndefined()
})

it('a part that takes too long to close is told of, and the next one is closed', async () => {
  const said: string[] = []
  const { life, ring, ringing, observed } = withParts(
    saying(said, 'a'),
    saying(said, 'b', { close: () => new Promise(() => {}) }),
    saying(said, 'c', { close: async () => said.push('close c') }),
  )
  await life.start()
  const closed = life.close()
  await new Promise((resolve) => setImmediate(resolve))
  expect([said.slice(6), ringing.length]).toEqual([['close c'], 1])
  ring()
  await closed
  expect(said.slice(7)).toEqual(['close a'])
  expect(observed).toEqual(['close (module b): The module b did not close within 10 s'])
})

it('what fails to end is told of, and whoever leaves last closes it', async () => {
  const said: string[] = []
  const { life, observed } = withParts(saying(said, 'a'))
  life.serve(() => Promise.reject(new Error('stuck')))
  await life.start()
  await life.close()
  expect(observed).toEqual(['close (what serves it): stuck'])
  const [one, other] = [life.serve(async () => {}), life.serve(async () => {})]
  await life.start()
  said.length = 0
  await one()
  await one()
  expect(said).toEqual([])
  await other()
  expect(said).toEqual(['close a'])
})

describe('parts that take their time', () => {
  /** Two parts, of which one may fail, and somebody who serves them. */
  function slowParts(failing?: string) {
    const work = {
      do: async (what: string) => {
        if (what === failing) throw new Error('broken')
      },
    }
    const slow = new SlowMotion().slow(work, ['do'])
    const parts = ['a', 'b'].map((name) => ({
      name,
      open: () => work.do(`open ${name}`),
      ready: () => work.do(`ready ${name}`),
      close: () => work.do(`close ${name}`),
    }))
    const { life } = withParts(...parts)
    const serve = () => life.serve(() => work.do('end'))
    /** What was done, one after the other unless it says so, and what has not been. */
    const done = () => [slow.take().join(', ').replaceAll('do ', ''), slow.underWay.length]
    return { life, serve, done }
  }

  const OPENED = 'open a, open b, ready a, ready b during ready a'
  const CLOSED = 'close b, close a'

  it('are open one after the other when a server has started, and closed when it has closed', async () => {
    const { life, serve, done } = slowParts()
    await life.start()
    expect(done()).toEqual([OPENED, 0])
    serve()
    await life.close()
    expect(done()).toEqual([`end, ${CLOSED}`, 0])
  })

  it('are closed when the last who serves them has left', async () => {
    const { life, serve, done } = slowParts()
    await life.start()
    done()
    const [one, other] = [serve(), life.serve(async () => {})]
    await one()
    expect(done()).toEqual(['', 0])
    await other()
    expect(done()).toEqual([CLOSED, 0])
  })

  it.each([
    ['open b', 'open a, open b, close a'],
    ['ready a', `${OPENED}, close b during ready b, close a`],
  ])('are closed before anybody hears that one does not open: %s', async (failing, order) => {
    const { life, done } = slowParts(failing)
    await expect(life.start()).rejects.toThrow('does not open: broken')
    expect(done()).toEqual([order, 0])
  })

  it('are opened before they are closed, and closed before they are opened again', async () => {
    const { life, done } = slowParts()
    const started = life.start()
    const closed = life.close()
    await started
    await new Promise(setImmediate)
    await Promise.all([closed, life.start()])
    expect(done()).toEqual([`${OPENED}, ${CLOSED}, ${OPENED}`, 0])
  })
})
