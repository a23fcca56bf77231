import { setTimeout } from 'node:timers/promises'
import { defineServer, serveHttp, serveStdio } from '../../dist/index.js'

/** A server in a program of its own, with tools that forget what they have begun. */
const server = defineServer({
  name: 'late',
  version: '1',
  tools: [
    {
      name: 'throw',
      run: () => {
        setImmediate(() => {
          throw new Error('thrown too late')
        })
        return 'so far so good'
      },
    },
    {
      name: 'reject',
      run: () => {
        void Promise.reject(new Error('rejected too late'))
        return 'so far so good'
      },
    },
    {
      name: 'untouchable',
      run: () => {
        setImmediate(() => {
          const { proxy, revoke } = Proxy.revocable({}, {})
          revoke()
          throw proxy
        })
        return 'so far so good'
      },
    },
    {
      name: 'stackless',
      run: () => {
        Error.prepareStackTrace = () => {
          throw new Error('no stack')
        }
        setImmediate(() => {
          throw new Error('thrown without a stack')
        })
        return 'so far so good'
      },
    },
    {
      name: 'stackless_observer',
      run: (_args, call) => {
        call.server.watchers.add({
          observed: () => {
            throw new Error('told without a stack')
          },
        })
        return 'so far so good'
      },
    },
    {
      name: 'forgetful_observer',
      run: (_args, call) => {
        call.server.watchers.add({ observed: () => void Promise.reject(new Error('told in vain')) })
        return 'so far so good'
      },
    },
    {
      name: 'storm',
      run: () => {
        for (let count = 0; count < 200; count++) void Promise.reject(new Error('one of many'))
        return 'so far so good'
      },
    },
    {
      name: 'prattle',
      run: (_args, call) => {
        for (let count = 0; count < 10_000; count++)
          call.server.observe({ kind: 'noted', level: 'error', message: 'x'.repeat(500) })
        return `kept ${process.stderr.writableLength}`
      },
    },
    {
      name: 'slow',
      run: () => {
        console.error('slow has begun')
        return setTimeout(300, 'done at last')
      },
    },
  ],
})

if (process.argv[2] === 'stdio') serveStdio(server)
else {
  if (process.argv[2] === 'own') process.on('SIGTERM', () => console.log('heard it myself'))
  const { url } = await serveHttp(server)
  console.log(url)
}
