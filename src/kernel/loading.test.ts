import { expect, it } from 'vitest'
import { type Server, serveHttp, serveStdio } from '../index.ts'
import { refuseLoading } from './check/serving.ts'
import { findLoading, type Loading, whileLoading } from './loading.ts'

const LOADING: Loading = {
  file: './server.ts',
  modules: [],
  budgets: {},
  settings: {},
  nodes: {},
  otherwise: {},
  taken: false,
}

it('is said for as long as the file is loaded, also where that fails', async () => {
  const loaded = whileLoading(LOADING, async () => {
    await new Promise(setImmediate)
    return findLoading()
  })
  expect(findLoading()).toBe(LOADING)
  expect(await loaded).toBe(LOADING)
  expect(findLoading()).toBeUndefined()
  await expect(whileLoading(LOADING, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(findLoading()).toBeUndefined()
})

it('keeps a file that serves itself from doing so while it is loaded', async () => {
  expect(() => refuseLoading('serveHttp')).not.toThrow()
  await expect(whileLoading(LOADING, async () => refuseLoading('serveHttp'))).rejects.toThrow(
    'it serves itself, by serveHttp(). Let it end in: export default server, or run it by itself: node ./server.ts',
  )
  const onNode20 = { ...LOADING, runner: 'npx jiti' }
  await expect(whileLoading(onNode20, async () => refuseLoading('serveHttp'))).rejects.toThrow(
    'or run it by itself: npx jiti ./server.ts',
  )
})

it.each([
  ['serveHttp', serveHttp],
  ['serveStdio', serveStdio],
])('has %s throw at once, whatever it is asked to serve', async (name, serve) => {
  const nothing = {} as Server // It is not looked at.
  await whileLoading(LOADING, async () => {
    expect(() => void serve(nothing)).toThrow(`it serves itself, by ${name}()`)
  })
})
